import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';

/**
 * Progress of a student in one lecture, as the school recorded it. The resume position comes from the latest
 * `watched_at`, not from the last event. `person_id` is null until the student is linked.
 */
export const progressEvents = defineEntityEvents({
  context: 'school',
  entity: 'progress',
  version: 1,
  names: ['recorded', 'linked', 'republished'],
  data: z.object({
    site_id: z.uuid(),
    student_id: z.uuid(),
    person_id: z.uuid().nullable(),
    course_id: z.uuid(),
    lecture_id: z.uuid(),
    lecture_title: z.string().nullable(),
    position_seconds: z.int().nonnegative().max(2_147_483_647),
    watched_at: instantSchema,
    /** When the lecture was completed for the first time. */
    completed_at: instantSchema.nullable().default(null),
  }),
});
