import type { AccessTerms } from '#src/course-plans/course-plan.policy.js';
import type { CourseState } from '#src/courses/course.policy.js';
import { requireActiveStudent } from '#src/students/student.policy.js';
import type { StudentState } from '#src/students/student.policy.js';
import { continued, enrollmentSourceOf, withSource } from './access.policy.js';
import type { Grant, GrantSource } from './access.policy.js';
import { endOf, requireOpenCourse, requirePlan } from './enroll.policy.js';
import { grantsOf } from './enrollment.entity.js';
import type { Enrollment } from './enrollment.entity.js';

/** A source of access: an order, a subscription, a membership, an import. */
export interface AccessSource {
  readonly source: Exclude<GrantSource, 'manual'>;
  readonly source_id: string;
}

/** Access of a source to one course. */
export interface GivenAccess extends AccessSource {
  readonly course_id: string;
  /** Id of the plan that the student bought. Null: none. */
  readonly plan_id: string | null;
  readonly starts_at: Date;
  /** End of access. Null: for life. Undefined: the end of the plan, or for life without a plan. */
  readonly ends_at?: Date | null;
  /** True: the order was recorded before its payment. It also buys a course that was archived meanwhile. */
  readonly wasPending?: boolean;
}

/** Access of a source to several courses. */
export interface FollowingAccess extends AccessSource {
  readonly student_id: string;
  /** All courses that the source gives access to. */
  readonly course_ids: readonly string[];
  readonly starts_at: Date;
  /** End of access. Null: for life. */
  readonly ends_at: Date | null;
  /** The end before the change. Null: for life. Undefined: the source is new or renewed, so all access begins again. */
  readonly former_end?: Date | null | undefined;
  /** True for a course that has come back to the source, so its access begins again. */
  readonly isAdded?: ((course_id: string) => boolean) | undefined;
}

export interface PlanOfCourse extends AccessTerms {
  readonly course_id: string;
}

/** The locked course and the enrollment of the student in it. Undefined: the site has none. */
interface LockedPlace {
  readonly course: CourseState | undefined;
  readonly row: Enrollment | undefined;
}

interface GiftFacts<P extends LockedPlace> {
  readonly student: StudentState;
  readonly place: P;
  /** Null: the source names no plan. Undefined: the site has no such plan. */
  readonly plan: PlanOfCourse | null | undefined;
}

/**
 * Returns the grants of a locked place after a source gives access.
 *
 * @throws when a source that is new cannot give access, and `validation_failed` for a plan of another course
 */
export function giftOf<P extends LockedPlace>(
  { course_id, starts_at, ends_at, wasPending = false, ...given }: GivenAccess,
  { student, place, plan }: GiftFacts<P>,
) {
  const known = place.row === undefined ? [] : grantsOf(place.row);
  if (!known.some((one) => isOf(one, given))) {
    requireActiveStudent(student);
    if (!wasPending || place.course !== 'archived') requireOpenCourse(place.course);
  }
  const own = plan?.course_id === course_id ? plan : undefined;
  if (plan !== null) requirePlan(own);
  const grant = { ...given, id: null, starts_at, ends_at: endOf(ends_at, own, starts_at), revoked_at: null };
  return { ...place, known, decided: withSource(known, grant), source: enrollmentSourceOf(given.source) };
}

/** Returns the grants of a student in a course after its source has changed. */
export function followed(
  known: readonly Grant[],
  { source, source_id, starts_at, ends_at, former_end, isAdded }: Omit<FollowingAccess, 'student_id' | 'course_ids'>,
  course_id: string,
): readonly Grant[] {
  const given = { source, source_id, id: null, plan_id: null, starts_at, ends_at, revoked_at: null };
  if (former_end === undefined || isAdded?.(course_id) === true) return withSource(known, given);
  return continued(known, given, former_end);
}

/** Whether a source gave the grant. */
export function isOf(grant: Grant, { source, source_id }: AccessSource): boolean {
  return grant.source === source && grant.source_id === source_id;
}
