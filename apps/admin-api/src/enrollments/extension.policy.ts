import { ApiError } from '@lyceum/errors';
import { requireActiveStudent } from '#src/students/student.policy.js';
import type { StudentState } from '#src/students/student.policy.js';
import { endingAt, laterBy } from './access.policy.js';
import type { Access, Grant, LocalNow } from './access.policy.js';
import { isLive, requireFuture } from './enrollment.policy.js';
import type { EnrollmentExtension } from './enrollment.schema.js';

/**
 * The end of extended access. Null: for life.
 *
 * @throws `validation_failed` unless exactly one end is given, which the access reaches and does not exceed already
 */
export function extendedEnd(
  { days, expires_at }: EnrollmentExtension,
  access: Omit<Access, 'changes_at'>,
  local: LocalNow,
): Date | null {
  if (days !== undefined) return laterBy(days, access, local);
  if (expires_at === undefined) return access.expires_at;
  if (isLive(access.state) && isEarlier(expires_at, access.expires_at)) {
    throw new ApiError('validation_failed', 'The enrollment lasts longer already', {
      errors: [{ pointer: '/expires_at', code: 'too_small', detail: 'Must not be before the end of the access' }],
      hint: 'Update the enrollment to shorten its access',
    });
  }
  return expires_at;
}

interface NewEnd {
  /** Null: for life. */
  readonly expires_at: Date | null;
  readonly access: Pick<Access, 'state' | 'started_at'>;
  readonly student: StudentState;
}

/**
 * Returns the grants of an enrollment whose access ends at an instant, or never. The same end again changes nothing.
 *
 * @throws `validation_failed` for an end that is over, `invalid_state` for a removed student
 */
export function withEnd(
  grants: readonly Grant[],
  { expires_at, access: { state, started_at }, student }: NewEnd,
  now: Date,
): readonly Grant[] {
  const decided = endingAt(grants, expires_at, now);
  if (decided.every((grant) => grants.includes(grant))) return grants;
  requireFuture(expires_at, state === 'pending' ? started_at : now);
  requireActiveStudent(student);
  return decided;
}

/** Schemas of tools have no alternatives, so the rule is not one of the schema. @throws `validation_failed` */
export function requireOneEnd({ days, expires_at }: EnrollmentExtension): void {
  if ((days === undefined) !== (expires_at === undefined)) return;
  throw new ApiError('validation_failed', 'Exactly one of days and expires_at is needed', {
    errors: [{ pointer: '/days', code: 'invalid_value', detail: 'Give days or expires_at, not both and not neither' }],
    hint: 'Send days, or expires_at, where null is for life',
  });
}

const isEarlier = (end: Date | null, than: Date | null): boolean =>
  end !== null && (than === null || end.getTime() < than.getTime());
