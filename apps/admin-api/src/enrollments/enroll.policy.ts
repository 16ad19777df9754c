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
  /** Id of this enrollment. Undefined: it is new. */
  readonly enrollment_id?: string | undefined;
}

/**
 * Returns the grants of an enrollment after a request of an operator. A repeated request changes nothing.
 *
 * @throws `not_found`, `validation_failed`, `invalid_state`, `already_exists` for access by hand on other terms
 */
export function enrolledByHand(
  { plan_id, source, expires_at }: EnrollRequest,
  { student, course, plan, grants, enrollment_id }: EnrollFacts,
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
  const standing = grants.filter((grant) => isByHand(grant) && isStanding(grant, now));
  if (standing.some((grant) => hasTerms(grant, { plan_id, expires_at, plan }))) return grants;
  if (standing.length > 0) refuseOtherTerms(enrollment_id);
  requireOpenCourse(course);
  const given = { id: null, source_id: null, plan_id, starts_at: now, ends_at, revoked_at: null };
  return [...grants, { ...given, source: source === 'import' ? source : 'manual' }];
}

/**
 * Whether the request would have given this grant when the grant was given: the end by a plan follows its start. 0.1.0
 * counted in UTC, and the school may have set its time zone since.
 */
function hasTerms(
  grant: Grant,
  { plan_id, expires_at, plan }: Pick<EnrollRequest, 'plan_id' | 'expires_at'> & Pick<EnrollFacts, 'plan'>,
): boolean {
  const ends = [plan, plan && { ...plan, time_zone: 'UTC' }].map((terms) => endOf(expires_at, terms, grant.starts_at));
  return grant.plan_id === plan_id && ends.some((end) => end?.getTime() === grant.ends_at?.getTime());
}

function refuseOtherTerms(id: string | undefined): never {
  throw new ApiError(
    'already_exists',
    'The student has access to this course by hand, by another plan or until another end',
    {
      errors: [{ pointer: '/course_id', code: 'already_exists', detail: 'Enrolled on other terms', id }],
      hint: 'Update or extend the enrollment to change its end; revoke it to give access by another plan',
    },
  );
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
