import { Action, Collection, Create, Delete, Get, List, Update, Upsert } from '@lyceum/collections';
import type {
  ChangeRequest,
  CreateRequest,
  Created,
  ListRequest,
  ObjectRequest,
  UpsertRequest,
  Written,
} from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { Announcement } from './announcement.entity.js';
import { announcement } from './announcement.schema.js';
import type { AnnouncementCreate, AnnouncementListQuery, AnnouncementPatch } from './announcement.schema.js';
import { AnnouncementService } from './announcement.service.js';

@Collection<Announcement>({
  name: 'announcements',
  scope: 'posts',
  resource: announcement,
  etag: ({ version }) => rowTag(version),
  toolItem: ['id', 'title', 'purpose', 'course_id', 'membership_plan_id', 'state', 'sends_at', 'sent_at'],
})
@Injectable()
export class AnnouncementOperations {
  constructor(private readonly announcements: AnnouncementService) {}

  @List('listAnnouncements', {
    summary: 'List announcements',
    description: 'Returns announcements of every state, without their texts.',
    problems: ['forbidden'],
    tool: {
      description:
        'Lists the announcements of this site to its members, newest first, drafts included. Use it to find an ' +
        'announcement or its id.',
    },
  })
  list({ principal, query }: ListRequest<AnnouncementListQuery>): Promise<Page<Announcement>> {
    return this.announcements.list(principal, query);
  }

  @Get('getAnnouncement', {
    summary: 'Get an announcement',
    description: 'Returns the announcement with its text.',
    problems: ['forbidden'],
    tool: {
      description: 'Reads one announcement with its text. Use it when you know the id from list_announcements.',
    },
  })
  get({ principal, id }: ObjectRequest): Promise<Announcement> {
    return this.announcements.get(principal, id);
  }

  @Create('createAnnouncement', {
    summary: 'Create an announcement',
    description: 'The new announcement is a draft: no member receives it until it is sent.',
    problems: ['already_exists', 'forbidden'],
    tool: {
      description:
        'Creates an announcement as a draft. Use it to write to members; send_announcement or schedule_announcement ' +
        'sends it.',
    },
  })
  create({ principal, body, tx }: CreateRequest<AnnouncementCreate>): Promise<Created<Announcement>> {
    return this.announcements.create(principal, body, tx);
  }

  @Upsert('putAnnouncement', {
    summary: 'Create or update an announcement',
    description:
      'Creates the announcement of the `external_id` as a draft, or changes the fields that the body names while it is ' +
      'not sent.',
    problems: ['already_exists', 'forbidden', 'invalid_state'],
  })
  put(request: UpsertRequest<AnnouncementCreate, AnnouncementPatch>): Promise<Created<Announcement>> {
    return this.announcements.upsert(request);
  }

  @Update('updateAnnouncement', {
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
  })
  update({ principal, body, tx, ...key }: ChangeRequest<AnnouncementPatch>): Promise<Written<Announcement>> {
    return this.announcements.patch(principal, key, body, tx);
  }

  @Action('scheduleAnnouncement', 'schedule', {
    summary: 'Schedule an announcement',
    description: 'From draft. It is sent within half a minute of `sends_at`, which must be in the future.',
    problems: ['forbidden', 'invalid_state'],
    tool: {
      description:
        'Schedules a draft for its sends_at, which must be in the future. Use it to send later; unschedule_announcement ' +
        'makes it a draft again.',
    },
  })
  schedule({ principal, tx, ...key }: ChangeRequest): Promise<Written<Announcement>> {
    return this.announcements.move(principal, key, 'schedule', tx);
  }

  @Action('unscheduleAnnouncement', 'unschedule', {
    summary: 'Unschedule an announcement',
    description: 'From scheduled, back to draft. The announcement keeps its `sends_at`.',
    problems: ['forbidden', 'invalid_state'],
    tool: {
      description:
        'Makes a scheduled announcement a draft again. Use it to stop one before it is sent; nothing recalls one that ' +
        'members have received.',
    },
  })
  unschedule({ principal, tx, ...key }: ChangeRequest): Promise<Written<Announcement>> {
    return this.announcements.move(principal, key, 'unschedule', tx);
  }

  @Action('sendAnnouncement', 'send', {
    summary: 'Send an announcement',
    description:
      'At once and for good, from draft or scheduled. Members are notified by their subscriptions: all members of the ' +
      'site, those enrolled in the course, or those with a live subscription to the plan. Sending twice changes nothing.',
    ends: true,
    problems: ['forbidden', 'invalid_state'],
    tool: {
      description:
        'Sends an announcement to members at once; it cannot be recalled. Use it only when a person has approved the ' +
        'text; schedule_announcement sends later.',
    },
  })
  send({ principal, tx, ...key }: ChangeRequest): Promise<Written<Announcement>> {
    return this.announcements.move(principal, key, 'send', tx);
  }

  @Delete('deleteAnnouncement', {
    summary: 'Delete an announcement',
    description: 'Only while it is not sent. Deletes it for good.',
    problems: ['forbidden', 'invalid_state'],
    tool: {
      description:
        'Deletes an announcement that is not sent for good. Use it for a mistake; unschedule_announcement keeps the text.',
    },
  })
  remove({ principal, tx, ...key }: ChangeRequest): Promise<Written<Announcement>> {
    return this.announcements.remove(principal, key, tx);
  }
}
