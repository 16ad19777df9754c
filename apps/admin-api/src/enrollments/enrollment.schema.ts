import { z } from 'zod';
import { fieldsParameter, instantText, instantOut, listQuery, pageOf } from '@lyceum/rest';
import { ENROLLMENT_SOURCES, ENROLLMENT_STATES } from './enrollment.policy.js';

const EXAMPLE = {
  id: '019ab3c1-2f33-7a2c-b5d6-7e8f9a0b1c2d',
  student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
  course_id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90',
  state: 'active',
  source: 'manual',
  started_at: '2026-11-20T08:00:00.000Z',
  expires_at: null,
  has_lifetime_access: true,
  completion_rate: 0.25,
  completed_at: null,
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const enrollmentView = z
  .object({
    id: z.uuid(),
    student_id: z.uuid(),
    course_id: z.uuid(),
    state: z.enum(ENROLLMENT_STATES),
    source: z.enum(ENROLLMENT_SOURCES),
    started_at: instantOut,
    expires_at: instantOut.nullable(),
    has_lifetime_access: z.boolean(),
    completion_rate: z.number().min(0).max(1),
    completed_at: instantOut.nullable(),
    created_at: instantOut,
    updated_at: instantOut,
  })
  .meta({ id: 'Enrollment', examples: [EXAMPLE] });

const fieldNames = Object.keys(enrollmentView.shape) as [keyof typeof enrollmentView.shape];

export const enrollmentList = pageOf('EnrollmentList', enrollmentView);

export const enrollmentListQuery = listQuery({
  sorts: ['-created_at', 'created_at'],
  fields: fieldNames,
  filters: {
    state: z.enum(ENROLLMENT_STATES).optional(),
    course_id: z.uuid().optional().meta({ description: 'Only the enrolment in this course' }),
  },
});
export type EnrollmentListQuery = z.infer<typeof enrollmentListQuery>;

export const enrollmentGetQuery = z.strictObject({ fields: fieldsParameter(fieldNames) });

export const enrollmentCreate = z
  .strictObject({
    course_id: z.uuid().toLowerCase(),
    expires_at: instantText.nullable().default(null).meta({ description: 'When access ends; null is for life' }),
    source: z.enum(['manual', 'free', 'import']).default('manual'),
  })
  .meta({ id: 'EnrollmentCreate', examples: [{ course_id: EXAMPLE.course_id, expires_at: null }] });
export type EnrollmentCreate = z.infer<typeof enrollmentCreate>;

/** JSON Merge Patch (RFC 7396): when access ends is all that an operator sets of an enrolment. */
export const enrollmentPatch = z
  .strictObject({
    expires_at: instantText.nullable().optional().meta({ description: 'When access ends; null is for life' }),
  })
  .meta({ id: 'EnrollmentPatch', examples: [{ expires_at: '2027-01-01T00:00:00Z' }] });
export type EnrollmentPatch = z.infer<typeof enrollmentPatch>;
