import { ApiError } from '@lyceum/errors';
import { laterBy } from './access.policy.js';
import type { Access } from './access.policy.js';
import { isLive } from './enrollment.policy.js';
import type { EnrollmentExtension } from './enrollment.schema.js';

/**
 * The end of extended access. Null: for life.
 *
 * @throws `validation_failed` unless exactly one end is given, which the access reaches and does not exceed already
 */
export function extendedEnd(
  { days, expires_at }: EnrollmentExtension,
  access: Omit<Access, 'changes_at'>,
  now: Date,
): Date | null {
  if (days !== undefined) return laterBy(days, access, now);
  if (expires_at === undefined) return access.expires_at;
  if (isLive(access.state) && isEarlier(expires_at, access.expires_at)) {
    throw new ApiError('validation_failed', 'The enrollment lasts longer already', {
      errors: [{ pointer: '/expires_at', code: 'too_small', detail: 'Must not be before the end of the access' }],
      hint: 'Update the enrollment to shorten its access',
    });
  }
  return expires_at;
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
