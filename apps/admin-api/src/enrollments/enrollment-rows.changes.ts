import { ApiError } from '@lyceum/errors';
import { changedColumns } from '@lyceum/rest';
import type { ImportKeys, ImportMode } from '#src/import-rows/import-mode.js';
import { decideRow, refused } from '#src/import-rows/import-row.policy.js';
import type { RowDecision } from '#src/import-rows/import-row.policy.js';
import { requireActiveStudent } from '#src/students/student.policy.js';
import type { StudentState } from '#src/students/student.policy.js';
import { planOf } from './access.policy.js';
import type { Grant } from './access.policy.js';
import type { AccessChange } from './access.service.js';
import { enrolledByHand, requireOpenCourse } from './enroll.policy.js';
import { accessAt, grantsOf } from './enrollment.entity.js';
import type { Enrollment } from './enrollment.entity.js';
import { isLive, requireUnrevoked } from './enrollment.policy.js';
import type { Place } from './enrollment.repository.js';
import { enrollment as resource } from './enrollment.schema.js';
import type { EnrollmentRow } from './enrollment.schema.js';
import { withEnd } from './extension.policy.js';
import type { PlanOfCourse } from './gift.policy.js';
import { ownDataOf } from './own-data.policy.js';

export const ENROLLMENT_KEYS = {
  student_and_course: ['student_email', 'course_slug'],
  external_id: ['external_id'],
} as const satisfies ImportKeys;

/** The objects that a row names. Undefined: the row names none, or the site has no such object. */
export interface EnrollmentFacts {
  /** The course and the enrollment of the student and the course that the row names. */
  readonly place: Place | undefined;
  /** The same of the enrollment with the external id of the row. */
  readonly keyed: Place | undefined;
  readonly student_id: string | undefined;
  readonly course_id: string | undefined;
  /** States of students by their ids. */
  readonly students: ReadonlyMap<string, StudentState>;
  readonly plan: PlanOfCourse | undefined;
}

/** The change of an enrollment that exists. `moves`: the row changes the end of access. */
export interface RowChange extends AccessChange {
  readonly moves: boolean;
}

export type EnrollmentDecision = RowDecision<Enrollment, AccessChange, RowChange>;

/** Fields of a row. A row that only changes an enrollment needs the fields that find it. */
export type NamedRow = Partial<EnrollmentRow>;

/** Decides on a row by the rules of a single enrollment by hand and of a single patch. */
export function decideEnrollment(
  row: NamedRow,
  facts: EnrollmentFacts,
  mode: ImportMode,
  now: Date,
): EnrollmentDecision {
  const { place, keyed, students, student_id = '', course_id } = facts;
  if (row.student_email !== undefined && !students.has(student_id)) {
    return refused('/student_email', 'not_found', 'No student of the site has this email');
  }
  // Another request may have deleted the course meanwhile.
  if (row.course_slug !== undefined && (course_id === undefined || (place && place.course === undefined))) {
    return refused('/course_slug', 'not_found', 'No course of the site has this slug');
  }
  return decideRow<Enrollment, AccessChange, RowChange>(
    { student_and_course: place?.row, external_id: keyed?.row },
    mode,
    {
      one: resource.one,
      keys: ENROLLMENT_KEYS,
      create: () => added(row, facts, now),
      change: (found) => changed(row, found, facts, now),
    },
  );
}

function added(row: NamedRow, { place, students, plan }: EnrollmentFacts, now: Date): AccessChange {
  if (place === undefined) throw new Error('A new enrollment has no place');
  const { student_id, course_id, course } = place;
  const student = students.get(student_id);
  if (student !== undefined) about('/student_email', () => requireActiveStudent(student));
  about('/course_slug', () => requireOpenCourse(course));
  const request = { plan_id: row.plan_id ?? null, source: 'import', expires_at: endOf(row) } as const;
  const own = plan?.course_id === course_id ? plan : undefined;
  const decided = enrolledByHand(request, { student, course, plan: own, grants: [] }, now);
  const data = { external_id: row.external_id ?? null, metadata: row.metadata ?? {} };
  return { student_id, course_id, row: undefined, known: [], decided, own: data, source: 'import' };
}

function changed(row: NamedRow, found: Enrollment, facts: EnrollmentFacts, now: Date): RowChange | undefined {
  const known = grantsOf(found);
  requireSame('/student_email', facts.student_id, found.student_id, 'An enrollment stays with its student');
  requireSame('/course_slug', facts.course_id, found.course_id, 'An enrollment stays in its course');
  requireSame('/plan_id', row.plan_id, planOf(known), 'The student is enrolled by another plan, or by none');
  const { external_id, metadata } = row;
  const own = changedColumns(found, { external_id, metadata }, resource);
  const decided = moved(row, found, facts, now);
  if (own === undefined && decided === undefined) return undefined;
  const { student_id, course_id, source } = found;
  const change = { student_id, course_id, source, row: found, known, own: { ...ownDataOf(found), ...own } };
  return { ...change, decided: decided ?? known, moves: decided !== undefined };
}

/** The grants after a change of the end of access. Undefined: the end stays. */
function moved(
  row: NamedRow,
  found: Enrollment,
  { place, keyed, students }: EnrollmentFacts,
  now: Date,
): readonly Grant[] | undefined {
  const [expires_at, student] = [endOf(row), students.get(found.student_id)];
  if (expires_at === undefined || student === undefined) return undefined;
  const [access, known] = [accessAt(found, now), grantsOf(found)];
  about('/expires_at', () => requireUnrevoked(access.state));
  const decided = about('/student_email', () => withEnd(known, { expires_at, access, student }, now));
  if (decided === known) return undefined;
  if (!isLive(access.state)) about('/course_slug', () => requireOpenCourse((place ?? keyed)?.course));
  return decided;
}

/** A row of a part has its instants as texts. */
function endOf({ expires_at }: NamedRow): Date | null | undefined {
  return typeof expires_at === 'string' ? new Date(expires_at) : expires_at;
}

/** @throws `validation_failed` */
function requireSame(pointer: string, named: string | null | undefined, known: string | null, detail: string): void {
  if (named === undefined || named === known) return;
  throw new ApiError('validation_failed', detail, { errors: [{ pointer, code: 'not_changeable', detail }] });
}

/** Names the member of the row that a refusal without a pointer is about. */
function about<T>(pointer: string, decide: () => T): T {
  try {
    return decide();
  } catch (error) {
    if (!(error instanceof ApiError) || error.errors.length > 0) throw error;
    const { code, message } = error;
    throw new ApiError(code, message, { errors: [{ pointer, code, detail: message }] });
  }
}
