import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';
import { externalIdOfObject } from './command-values.js';

/** A message of the site to its members, or to those of one course or membership plan. */
export const announcementEvents = defineEntityEvents({
  context: 'school',
  entity: 'announcement',
  version: 1,
  names: ['created', 'updated', 'scheduled', 'unscheduled', 'sent', 'deleted', 'republished'],
  data: z.object({
    announcement_id: z.uuid(),
    site_id: z.uuid(),
    external_id: externalIdOfObject,
    /** Null for all members of the site, or for those of a plan. */
    course_id: z.uuid().nullable(),
    /** Only members with a live subscription to the membership plan receive it. */
    membership_plan_id: z.uuid().nullable().default(null),
    /** Marketing is sent only to members who subscribed to it. */
    purpose: z.enum(['announcement', 'marketing']),
    title: z.string(),
    body: z.string().nullable(),
    /** Path of the link below the site's base URL. */
    path: z.string().startsWith('/').nullable(),
    state: z.enum(['draft', 'scheduled', 'sent', 'deleted']),
    sent_at: instantSchema.nullable(),
    /** People whom it reached; null before its delivery has ended. Absent in older events. */
    recipients_count: z.int().min(0).nullable().optional(),
  }),
});
