import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';
import { externalIdOfObject } from './command-values.js';

export const courseEvents = defineEntityEvents({
  context: 'school',
  entity: 'course',
  version: 1,
  names: ['created', 'updated', 'published', 'unpublished', 'archived', 'deleted', 'republished'],
  data: z.object({
    course_id: z.uuid(),
    site_id: z.uuid(),
    external_id: externalIdOfObject,
    slug: z.string(),
    name: z.string(),
    subtitle: z.string().nullable(),
    image_url: z.string().nullable(),
    state: z.enum(['draft', 'published', 'unpublished', 'archived', 'deleted']),
    published_at: instantSchema.nullable(),
  }),
});

/**
 * A student of a site, created at the school. auth consumes the event, finds or creates the person of that e-mail,
 * grants the role `student` and publishes `identity.role.changed`, from which the school learns `person_id`.
 */
export const studentEvents = defineEntityEvents({
  context: 'school',
  entity: 'student',
  version: 1,
  names: ['created', 'updated', 'linked', 'removed', 'deleted', 'republished'],
  data: z.object({
    student_id: z.uuid(),
    site_id: z.uuid(),
    person_id: z.uuid().nullable(),
    /** Lower-case. */
    email: z.string(),
    name: z.string(),
    locale: z.string().nullable(),
    state: z.enum(['active', 'removed']),
    send_welcome_email: z.boolean(),
  }),
});

/**
 * `person_id` is null until the student is linked to a person, and after the erasure of the student. Both publish the
 * enrollment again, as `linked`.
 */
export const enrollmentEvents = defineEntityEvents({
  context: 'school',
  entity: 'enrollment',
  version: 1,
  names: ['activated', 'extended', 'expired', 'revoked', 'progressed', 'updated', 'linked', 'republished'],
  data: z.object({
    enrollment_id: z.uuid(),
    site_id: z.uuid(),
    external_id: externalIdOfObject,
    student_id: z.uuid(),
    person_id: z.uuid().nullable(),
    course_id: z.uuid(),
    /** Id of the plan that gave access last. Null: access without a plan. */
    plan_id: z.uuid().nullable().default(null),
    state: z.enum(['pending', 'active', 'expired', 'revoked']),
    source: z.enum(['purchase', 'manual', 'membership', 'free', 'import']),
    started_at: instantSchema,
    /** When the first access began, before all interruptions: the days of a drip count from here. */
    first_started_at: instantSchema.optional(),
    /** Null means access for life. */
    expires_at: instantSchema.nullable(),
    completion_rate: z.number().min(0).max(1),
    completed_at: instantSchema.nullable(),
  }),
});
