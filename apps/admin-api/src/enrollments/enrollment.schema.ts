import { editable, fixed, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { externalId, idIn, instant, instantOut, instantText, metadata, slug } from '@lyceum/rest';
import { z } from 'zod';
import { course } from '#src/courses/course.schema.js';
import { personEmail, student } from '#src/students/student.schema.js';
import { GRANT_SOURCES } from './access.policy.js';
import { ENROLLMENT_SOURCES, ENROLLMENT_STATES } from './enrollment.policy.js';

const EXAMPLE = {
  id: '019ab3c1-2f33-7a2c-b5d6-7e8f9a0b1c2d',
  student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
  course_id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90',
  plan_id: null,
  state: 'active',
  source: 'manual',
  started_at: '2026-11-20T08:00:00.000Z',
  expires_at: null,
  has_lifetime_access: true,
  completion_rate: 0.25,
  completed_at: null,
  last_watched: {
    lecture_id: '019ab3c0-9c22-7b3d-8e4f-5a6b7c8d9e0f',
    lecture_title: 'The sky as a map',
    position_seconds: 754,
    watched_at: '2026-11-20T08:00:00.000Z',
  },
  grants: [
    {
      id: '019ab3c1-2f33-7b11-8c2d-3e4f5a6b7c8d',
      source: 'manual',
      source_id: null,
      plan_id: null,
      starts_at: '2026-11-20T08:00:00.000Z',
      ends_at: null,
      revoked_at: null,
    },
  ],
  external_id: null,
  metadata: {},
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const grant = z.object({
  id: z.uuid(),
  source: z.enum(GRANT_SOURCES),
  source_id: z.uuid().nullable().meta({ description: 'The order, subscription or the like; null: given by hand' }),
  plan_id: z.uuid().nullable().meta({ description: 'The plan of the course by which it was given' }),
  starts_at: instantOut,
  ends_at: instantOut.nullable().meta({ description: 'null: for life' }),
  revoked_at: instantOut.nullable(),
});

const lastWatched = z.object({
  lecture_id: z.uuid(),
  lecture_title: z.string().nullable(),
  position_seconds: z.int().min(0),
  watched_at: instantOut,
});

const STUDENT = { description: 'With `expand=student`: the student of `student_id`' };
const COURSE = { description: 'With `expand=course`: the course of `course_id`' };

export const enrollment = resource('Enrollment', {
  one: 'enrollment',
  memberType: 'EnrolledCourse',
  fields: {
    student_id: readOnly(z.uuid()),
    course_id: fixed(idIn),
    plan_id: fixed(
      idIn.nullable().meta({ description: 'Plan of the course by which access was given last; null: none' }),
      null,
    ),
    state: readOnly(z.enum(ENROLLMENT_STATES)),
    source: fixed(z.enum(['manual', 'free', 'import']), 'manual'),
    started_at: readOnly(instantOut.meta({ description: 'When access began, or will begin' })),
    expires_at: editable(
      instant.nullable().meta({ description: 'When access ends or has ended; null is for life' }),
      null,
    ),
    has_lifetime_access: readOnly(z.boolean()),
    completion_rate: readOnly(
      z.number().min(0).max(1).meta({
        description: 'Completed part of the published lectures, as of the last record of progress; 0 without lectures',
      }),
    ),
    completed_at: readOnly(
      instantOut.nullable().meta({
        description:
          'When the student completed the last lecture and the rate first was 1. It stays when lectures are added later, ' +
          'so it is the mark for a certificate',
      }),
    ),
    last_watched: readOnly(
      lastWatched.nullable().meta({ description: 'Where the student stopped; null: nowhere yet' }),
    ),
    grants: readOnly(
      z.array(grant).meta({ description: 'Why the student has or had access: the enrollment sums them up' }),
    ),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  create: {
    expires_at: instant
      .nullable()
      .optional()
      .meta({ description: 'When access ends; null is for life. Without it, the plan decides, or access is for life' }),
  },
  object: { source: z.enum(ENROLLMENT_SOURCES) },
  sorts: ['-created_at', '-updated_at'],
  filters: {
    state: z.enum(ENROLLMENT_STATES).meta({ description: 'Only enrollments in this state' }),
    course_id: idIn.meta({ description: 'Only enrollments in this course' }),
    student_id: idIn.meta({ description: 'Only enrollments of this student' }),
    plan_id: idIn.meta({ description: 'Only enrollments by this plan of a course' }),
    source: z.enum(ENROLLMENT_SOURCES).meta({ description: 'Only enrollments from this source' }),
    has_begun: z.boolean().meta({
      description: 'true: only enrollments whose student has watched a lecture; false: only those who have not begun',
    }),
    external_id: externalId,
  },
  ranges: ['created_at', 'updated_at', 'expires_at', 'completed_at'],
  expand: {
    student: { schema: student.summary.nullable().meta(STUDENT), scope: 'students:read' },
    course: { schema: course.summary.nullable().meta(COURSE), scope: 'courses:read' },
  },
  examples: {
    object: EXAMPLE,
    create: { course_id: EXAMPLE.course_id, expires_at: null, external_id: 'seat-17' },
    patch: { expires_at: '2027-01-01T00:00:00Z', metadata: { cohort: 'evening' } },
  },
});

/** The body of a creation, with the id of the student. */
export const enrollmentItem = enrollment.create.extend({ student_id: idIn }).meta({
  id: 'StudentEnrollmentCreate',
  examples: [{ student_id: EXAMPLE.student_id, course_id: EXAMPLE.course_id }],
});
export type EnrollmentItem = z.infer<typeof enrollmentItem>;

/** An enrollment in a row of a file, which names the student and the course by values that other systems have. */
export const enrollmentRow = enrollment.create.omit({ course_id: true, source: true }).extend({
  student_email: personEmail,
  course_slug: slug,
  // A part of the file stores the row as JSON.
  expires_at: instantText.nullable().optional(),
});
export type EnrollmentRow = z.infer<typeof enrollmentRow>;

/** Ten years. */
const MAX_DAYS = 3650;

export const enrollmentExtension = z
  .strictObject({
    days: z.int().min(1).max(MAX_DAYS).optional().meta({ description: 'Days of access to add, without expires_at' }),
    expires_at: instant
      .nullable()
      .optional()
      .meta({ description: 'When access ends, without days; null is for life. Not before the present end' }),
  })
  .meta({
    id: 'EnrollmentExtension',
    description: 'Exactly one of `days` and `expires_at`',
    examples: [{ days: 30 }, { expires_at: '2099-01-01T00:00:00Z' }, { expires_at: null }],
  });
export type EnrollmentExtension = z.infer<typeof enrollmentExtension>;

export type EnrollmentCreate = CreateOf<typeof enrollment>;
export type EnrollmentPatch = PatchOf<typeof enrollment>;
export type EnrollmentListQuery = ListQueryOf<typeof enrollment>;
