import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineCommand } from '../platform/command.js';

const MAX_SECONDS = 2_147_483_647;
const externalId = z.string().trim().min(1).max(255);

/** A student of the site by one of three ids. `member_id` is `sub` of the tokens of a student who has signed in there. */
export const studentReferenceSchema = z.union([
  z.strictObject({ id: z.uuid() }),
  z.strictObject({ external_id: externalId }),
  z.strictObject({ member_id: z.uuid() }),
]);
export type StudentReference = z.infer<typeof studentReferenceSchema>;

/** A course or a lecture of the site by one of two ids. */
const referenceSchema = z.union([z.strictObject({ id: z.uuid() }), z.strictObject({ external_id: externalId })]);

export const courseReferenceSchema = referenceSchema;
export type CourseReference = z.infer<typeof courseReferenceSchema>;
export type LectureReference = z.infer<typeof referenceSchema>;

/** Records where a student stopped in a lecture, and its completion. It needs an active enrollment, and makes none. */
export const recordProgress = defineCommand({
  service: 'admin-api',
  name: 'school.progress.record.v1',
  input: {
    student: studentReferenceSchema,
    course: courseReferenceSchema,
    /** A lecture of the course. */
    lecture: referenceSchema,
    position_seconds: z.int().min(0).max(MAX_SECONDS),
    /** The student has completed the lecture. A completed lecture stays completed. */
    completed: z.boolean().default(false),
    /** When the student was there. The position is that of the latest command. */
    occurred_at: instantSchema,
  },
  output: z.object({
    enrollment_id: z.uuid(),
    lecture_id: z.uuid(),
    position_seconds: z.int(),
    watched_at: instantSchema,
    /** Completed part of the published lectures of the course. */
    completion_rate: z.number(),
    /** When the student completed the course for the first time. */
    completed_at: instantSchema.nullable(),
  }),
});

/** All that the NATS user `storefront` may send. */
export const STOREFRONT_COMMANDS = [recordProgress] as const;
