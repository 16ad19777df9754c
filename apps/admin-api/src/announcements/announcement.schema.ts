import { editable, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { externalId, idIn, instant, instantOut, metadata, multiline, name } from '@lyceum/rest';
import { z } from 'zod';
import { ANNOUNCEMENT_STATES } from './announcement.policy.js';

const PURPOSES = ['announcement', 'marketing'] as const;
export type Purpose = (typeof PURPOSES)[number];

const EXAMPLE = {
  id: '019ab3c0-c110-7b3c-9e5f-607182930415',
  title: 'Closed on Monday',
  body: 'It is a holiday.',
  purpose: 'announcement',
  course_id: null,
  membership_plan_id: null,
  path: '/news',
  state: 'draft',
  sends_at: null,
  sent_at: null,
  recipients_count: null,
  external_id: 'announcement-holiday',
  metadata: {},
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

/** A path of the site itself. `//` and `/\` would lead elsewhere. */
const path = z
  .string()
  .max(500)
  .regex(/^\/(?![/\\])[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/, 'A path of the site');
const course = idIn.meta({ description: 'Only members who are enrolled in the course receive it' });
const plan = idIn.meta({
  description:
    'Only members with a live subscription to the membership plan receive it, each once. Not with `course_id`',
});

export const announcement = resource('Announcement', {
  one: 'announcement',
  fields: {
    title: editable(name(200).meta({ description: 'Title that members read' })),
    body: editable(multiline(5000).nullable().meta({ description: 'Plain text' }), null),
    purpose: editable(
      z.enum(PURPOSES).meta({ description: 'marketing: only members who subscribed to marketing receive it' }),
      'announcement',
    ),
    course_id: editable(course.nullable(), null),
    membership_plan_id: editable(plan.nullable(), null),
    path: editable(path.nullable().meta({ description: 'Path of the link at the web site of the school' }), null),
    state: readOnly(z.enum(ANNOUNCEMENT_STATES)),
    sends_at: editable(instant.nullable().meta({ description: 'When a scheduled announcement is sent' }), null),
    sent_at: readOnly(instantOut.nullable()),
    recipients_count: readOnly(
      z.int().min(0).nullable().meta({
        description:
          'People whom it reached by a notification or a mail, each once. Null until the last one of them has it',
      }),
    ),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  details: ['body'],
  sorts: ['-created_at', '-updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: {
    state: z.enum(ANNOUNCEMENT_STATES),
    purpose: z.enum(PURPOSES),
    course_id: course,
    external_id: externalId,
  },
  examples: {
    object: EXAMPLE,
    create: { title: EXAMPLE.title, body: EXAMPLE.body, path: EXAMPLE.path, sends_at: '2027-01-04T08:00:00Z' },
    patch: { sends_at: '2027-01-05T08:00:00Z' },
  },
});
export type AnnouncementCreate = CreateOf<typeof announcement>;
export type AnnouncementPatch = PatchOf<typeof announcement>;
export type AnnouncementListQuery = ListQueryOf<typeof announcement>;
