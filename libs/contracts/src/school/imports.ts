import { z } from 'zod';
import { defineEntityEvents } from '../platform/event.js';
import { DATA_FORMATS } from './exports.js';

/** Collections whose objects a site can import from a file. */
export const IMPORT_COLLECTIONS = ['students', 'categories', 'lecturers', 'enrollments', 'courses'] as const;

/** previewed: checked and not started; invalid: checked, and no row can be imported. */
export const IMPORT_STATES = [
  'queued',
  'checking',
  'previewed',
  'invalid',
  'running',
  'completed',
  'failed',
  'canceled',
] as const;

/** A file whose rows a job checks and then writes as objects of a collection. */
export const importEvents = defineEntityEvents({
  context: 'school',
  entity: 'import',
  version: 1,
  names: [
    'created',
    'checking',
    'previewed',
    'invalid',
    'started',
    'completed',
    'failed',
    'canceled',
    'deleted',
    'republished',
  ],
  data: z.object({
    import_id: z.uuid(),
    site_id: z.uuid(),
    /** The member who asked for it. */
    created_by: z.uuid(),
    collection: z.enum(IMPORT_COLLECTIONS),
    format: z.enum(DATA_FORMATS),
    state: z.enum([...IMPORT_STATES, 'deleted']),
    rows_total: z.int().nonnegative(),
    rows_created: z.int().nonnegative(),
    rows_updated: z.int().nonnegative(),
    rows_failed: z.int().nonnegative(),
  }),
});
