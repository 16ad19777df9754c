import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { Announcement } from './announcement.entity.js';
import { announcement } from './announcement.schema.js';
import { AnnouncementService } from './announcement.service.js';

export const announcementCollection = collection({
  name: 'announcements',
  scope: 'posts',
  service: AnnouncementService,
  row: Announcement,
  resource: announcement,
  etag: ({ version, recipients_count }) => rowTag(version, ...(recipients_count === null ? [] : [recipients_count])),
  toolItem: [
    'id',
    'title',
    'purpose',
    'course_id',
    'membership_plan_id',
    'state',
    'sends_at',
    'sent_at',
    'recipients_count',
  ],
  operations: {
    list: {
      id: 'listAnnouncements',
      summary: 'List announcements',
      description: 'Returns announcements of every state, without their texts.',
      problems: ['forbidden'],
      tool: {
        description:
          'Lists the announcements of this site to its members, newest first, drafts included. Use it to find an ' +
          'announcement or its id, and to see how many people a sent one reached.',
      },
      run: (announcements, { principal, query }) => announcements.list(principal, query),
    },
    get: {
      id: 'getAnnouncement',
      summary: 'Get an announcement',
      description: 'Returns the announcement with its text.',
      problems: ['forbidden'],
      tool: {
        description: 'Reads one announcement with its text. Use it when you know the id from list_announcements.',
      },
      run: (announcements, { principal, id }) => announcements.get(principal, id),
    },
    create: {
      id: 'createAnnouncement',
      summary: 'Create an announcement',
      description: 'The new announcement is a draft: no member receives it until it is sent.',
      problems: ['already_exists', 'forbidden'],
      tool: {
        description:
          'Creates an announcement as a draft. Use it to write to members; send_announcement or schedule_announcement ' +
          'sends it.',
      },
      run: (announcements, { principal, body, tx }) => announcements.create(principal, body, tx),
    },
    upsert: {
      id: 'putAnnouncement',
      summary: 'Create or update an announcement',
      description:
        'Creates the announcement of the `external_id` as a draft, or changes the fields that the body names while it is ' +
        'not sent.',
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      run: (announcements, request) => announcements.upsert(request),
    },
    update: {
      id: 'updateAnnouncement',
      summary: 'Update an announcement',
      description:
        'JSON Merge Patch (RFC 7396): absent fields stay, null clears. Only while it is not sent. `sends_at` of a ' +
        'scheduled announcement stays in the future.',
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      tool: {
        description:
          'Changes the given members of an announcement that is not sent: absent ones stay, null clears. Use it to edit ' +
          'the text or to move the time.',
      },
      run: (announcements, { principal, body, tx, ...key }) => announcements.patch(principal, key, body, tx),
    },
    actions: {
      schedule: {
        id: 'scheduleAnnouncement',
        summary: 'Schedule an announcement',
        description:
          'From draft. It is sent within half a minute of `sends_at`, which must be in the future. Refused while its course ' +
          'is a draft. A draft that it gets later delays it until the publication.',
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Schedules a draft for its sends_at, which must be in the future. Use it to send later; unschedule_announcement ' +
            'makes it a draft again.',
        },
        run: (announcements, { principal, tx, ...key }) => announcements.move(principal, key, 'schedule', tx),
      },
      unschedule: {
        id: 'unscheduleAnnouncement',
        summary: 'Unschedule an announcement',
        description: 'From scheduled, back to draft. The announcement keeps its `sends_at`.',
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Makes a scheduled announcement a draft again. Use it to stop one before it is sent; nothing recalls one that ' +
            'members have received.',
        },
        run: (announcements, { principal, tx, ...key }) => announcements.move(principal, key, 'unschedule', tx),
      },
      send: {
        id: 'sendAnnouncement',
        summary: 'Send an announcement',
        description:
          'At once and for good, from draft or scheduled. Members are notified by their subscriptions: all members of the ' +
          'site, those enrolled in the course, or those with a live subscription to the plan. A course that is a draft is ' +
          'refused. Sending twice changes nothing.',
        ends: true,
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Sends an announcement to members at once; it cannot be recalled. Use it only when a person has approved the ' +
            'text; schedule_announcement sends later.',
        },
        run: (announcements, { principal, tx, ...key }) => announcements.move(principal, key, 'send', tx),
      },
    },
    delete: {
      id: 'deleteAnnouncement',
      summary: 'Delete an announcement',
      description: 'Only while it is not sent. Deletes it for good.',
      problems: ['forbidden', 'invalid_state'],
      tool: {
        description:
          'Deletes an announcement that is not sent for good. Use it for a mistake; unschedule_announcement keeps the text.',
      },
      run: (announcements, { principal, tx, ...key }) => announcements.remove(principal, key, tx),
    },
  },
});
