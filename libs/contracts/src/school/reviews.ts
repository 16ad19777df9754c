import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';

/** Reviews of courses. A student has at most one review per course. */
export const reviewEvents = defineEntityEvents({
  context: 'school',
  entity: 'review',
  version: 1,
  names: ['posted', 'erased', 'republished'],
  data: z.object({
    review_id: z.uuid(),
    site_id: z.uuid(),
    course_id: z.uuid(),
    student_id: z.uuid(),
    rating: z.int().min(1).max(5),
    title: z.string().nullable(),
    body: z.string(),
    /** When the student wrote it. */
    reviewed_at: instantSchema,
  }),
});
