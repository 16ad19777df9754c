import { ApiError, errorOr } from '@lyceum/errors';
import type { AccessTerms } from '#src/course-plans/course-plan.policy.js';
import type { StudentState } from '#src/students/student.policy.js';
import type { AccessChange } from './access.service.js';
import { enrolledByHand } from './enroll.policy.js';
import { grantsOf } from './enrollment.entity.js';
import type { KeyedPair, Pair, Place } from './enrollment.repository.js';
import type { EnrollmentItem } from './enrollment.schema.js';
import { ownDataAfter, ownDataOf } from './own-data.policy.js';
import type { OwnData, OwnRequest } from './own-data.policy.js';

/** A tool call or an import can leave out the data of the school. */
export type Enrolling<Body> = Omit<Body, keyof OwnData> & OwnRequest;

/** The change of an enrollment so far, with the data of the school. */
type Change = AccessChange & Pick<Place, 'course'> & { readonly own: OwnData };

/** The locked rows that items name. */
interface Facts {
  readonly students: ReadonlyMap<string, StudentState>;
  /** Plans with their courses. */
  readonly plans: ReadonlyMap<string, AccessTerms & { readonly course_id: string }>;
  /** The changes by student and course, which the decisions of items replace. */
  readonly changes: Map<string, Change>;
  /** Enrollments by external id. Decisions add those that items make. */
  readonly keyed: Map<string, KeyedPair>;
}

interface Decision {
  /** Student and course. */
  readonly key: string;
  /** The error of a refused item. */
  readonly error?: ApiError;
  /** An earlier item changed the enrollment. */
  readonly isSecond?: boolean;
}

/** Decides items in their order, so that each one sees the enrollments of those before it. */
export function decideAll(items: readonly Enrolling<EnrollmentItem>[], facts: Facts, now: Date): readonly Decision[] {
  return items.map((item) => {
    const key = keyOf(item);
    const outcome = errorOr(() => decided(item, facts, now));
    if (outcome instanceof ApiError) return { key, error: outcome };
    const isSecond = outcome.before.decided !== outcome.before.known;
    if (!isSecond) facts.changes.set(key, outcome.change);
    const { external_id } = outcome.change.own;
    if (external_id !== null) facts.keyed.set(external_id, facts.keyed.get(external_id) ?? outcome.change);
    return { key, isSecond };
  });
}

/** The change of a place by an item. @throws the error of a refused item */
function decided(
  item: Enrolling<EnrollmentItem>,
  { students, plans, changes, keyed }: Facts,
  now: Date,
): { readonly before: Change; readonly change: Change } {
  const before = changes.get(keyOf(item));
  const plan = plans.get(item.plan_id ?? '');
  const facts = {
    student: students.get(item.student_id),
    course: before?.course,
    plan: plan?.course_id === item.course_id ? plan : undefined,
    grants: before?.decided ?? [],
    enrollment_id: before?.row?.id,
  };
  const grants = enrolledByHand(item, facts, now);
  if (before === undefined) throw new Error('A student was enrolled without a place');
  const other = keyed.get(item.external_id ?? '');
  const own = ownDataAfter(before.own, item, {
    id: before.row?.id,
    isRepeated: grants === before.decided,
    other: other !== undefined && keyOf(other) !== keyOf(item) ? other : undefined,
  });
  return { before, change: { ...before, decided: grants, own, source: item.source } };
}

export function unchanged(place: Place): Change {
  const known = place.row === undefined ? [] : grantsOf(place.row);
  return { ...place, known, decided: known, own: ownDataOf(place.row), source: 'manual' };
}

export const keyOf = ({ student_id, course_id }: Pair): string => `${student_id}/${course_id}`;
