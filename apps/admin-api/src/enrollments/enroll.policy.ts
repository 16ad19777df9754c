import { ApiError } from '@lyceum/errors';
import { accessEndOf } from '#src/course-plans/course-plan.policy.js';
import type { AccessTerms } from '#src/course-plans/course-plan.policy.js';
import type { CourseState } from '#src/courses/course.policy.js';
import { requireActiveStudent } from '#src/students/student.policy.js';
import type { StudentState } from '#src/students/student.policy.js';
import { isByHand, isStanding } from './access.policy.js';
import type { Grant } from './access.policy.js';
import { requireFuture, requireOpenForEnrollment } from './enrollment.policy.js';

/** Access that an operator requests for a student. */
export interface EnrollRequest {
  /** Null: without a plan. */
  readonly plan_id: string | null;
  readonly source: 'manual' | 'free' | 'import';
  /** End of access. Null: for life. Undefined: the end of the plan, or for life without a plan. */
  readonly expires_at?: Date | null | undefined;
}

/** The locked rows that a request names. Undefined: the site has no such row. */
export interface EnrollFacts {
  readonly student: StudentState | undefined;
  readonly course: CourseState | undefined;
  /** Undefined: the course has no such plan, or the request names none. */
  readonly plan: AccessTerms | undefined;
  /** Grants of the existing enrollment of the student in the course. */
  readonly grants: readonly Grant[];
}

/**
 * Returns the grants of an enrollment after a request of an operator. Access that an operator gave before stays.
 *
 * @throws `not_found`, `validation_failed`, `invalid_state`
 */
export function enrolledByHand(
  { plan_id, source, expires_at }: EnrollRequest,
  { student, course, plan, grants }: EnrollFacts,
  now: Date,
): readonly Grant[] {
  requireFuture(expires_at ?? null, now);
  if (student === undefined) throw new ApiError('not_found', 'This site has no such student');
  requireActiveStudent(student);
  if (plan_id !== null) {
    requireOpenCourse(course);
    requirePlan(plan);
  }
  const ends_at = endOf(expires_at, plan, now);
  if (expires_at === undefined) requireFuture(ends_at, now, '/plan_id');
  if (grants.some((grant) => isByHand(grant) && isStanding(grant, now))) return grants;
  requireOpenCourse(course);
  const given = { id: null, source_id: null, plan_id, starts_at: now, ends_at, revoked_at: null };
  return [...grants, { ...given, source: source === 'import' ? source : 'manual' }];
}

/** Returns the given end of access, or the end of the plan, or null for life. */
export function endOf(given: Date | null | undefined, plan: AccessTerms | undefined, start: Date): Date | null {
  if (given !== undefined) return given;
  return plan === undefined ? null : accessEndOf(plan, start);
}

/** @throws `validation_failed` for an unknown course, `invalid_state` when no enrollment can begin in it */
export function requireOpenCourse(course: CourseState | undefined): void {
  if (course === undefined) {
    throw new ApiError('validation_failed', 'This site has no such course', {
      errors: [{ pointer: '/course_id', code: 'not_found', detail: 'No course of this site' }],
    });
  }
  requireOpenForEnrollment(course);
}

/** @throws `validation_failed` for a plan that the course does not have. */
export function requirePlan(plan: AccessTerms | undefined): void {
  if (plan !== undefined) return;
  throw new ApiError('validation_failed', 'The course has no such plan', {
    errors: [{ pointer: '/plan_id', code: 'not_found', detail: 'The id of a plan of the course' }],
  });
}
