import { z } from 'zod';
import { defineEntityEvents } from '../platform/event.js';

/** Collections and figures that a site can export as a file. */
export const EXPORT_COLLECTIONS = [
  'students',
  'enrollments',
  'progress',
  'orders',
  'form_submissions',
  'members',
  'activity',
  'analytics_revenue',
  'analytics_funnel',
  'analytics_memberships',
  'analytics_cohorts',
  'analytics_attendance',
] as const;
/** Formats of files with objects, for exports and imports. */
export const DATA_FORMATS = ['csv', 'jsonl'] as const;
export const EXPORT_STATES = ['queued', 'running', 'ready', 'failed', 'canceled'] as const;

/** An export: a file with the objects of a collection, which a job writes. */
export const exportEvents = defineEntityEvents({
  context: 'school',
  entity: 'export',
  version: 1,
  names: ['created', 'started', 'ready', 'failed', 'canceled', 'deleted', 'republished'],
  data: z.object({
    export_id: z.uuid(),
    site_id: z.uuid(),
    /** Id of the member who requested the export. */
    created_by: z.uuid(),
    collection: z.enum(EXPORT_COLLECTIONS),
    format: z.enum(DATA_FORMATS),
    state: z.enum([...EXPORT_STATES, 'deleted']),
    rows_count: z.int().nonnegative(),
  }),
});
