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

export const courseReferenceSchema = z.union([
  z.strictObject({ id: z.uuid() }),
  z.strictObject({ external_id: externalId }),
]);
export type CourseReference = z.infer<typeof courseReferenceSchema>;

/** Records where a student stopped in a lecture. It needs an active enrollment, and makes none. */
export const recordProgress = defineCommand({
  service: 'admin-api',
  name: 'school.progress.record.v1',
  input: {
    student: studentReferenceSchema,
    course: courseReferenceSchema,
    /** Not checked: no service knows the lectures of a course yet. */
    lecture_id: z.uuid(),
    lecture_title: z.string().trim().min(1).max(200).nullable().default(null),
    position_seconds: z.int().min(0).max(MAX_SECONDS),
    /** Part of the course that is completed. Absent or null: it stays as it is. */
    completion_rate: z.number().min(0).max(1).nullable().default(null),
    /** When the student was there. An older command changes nothing that a newer one has recorded. */
    occurred_at: instantSchema,
  },
  output: z.object({
    enrollment_id: z.uuid(),
    lecture_id: z.uuid(),
    position_seconds: z.int(),
    watched_at: instantSchema,
    completion_rate: z.number(),
    completed_at: instantSchema.nullable(),
  }),
});

/** All that the NATS user `storefront` may send. */
export const STOREFRONT_COMMANDS = [recordProgress] as const;
