import { Outcome } from '@lyceum/errors';
import type { StudentState } from '#src/students/student.policy.js';

export const ENROLLMENT_STATES = ['pending', 'active', 'expired', 'revoked'] as const;
export type EnrollmentState = (typeof ENROLLMENT_STATES)[number];

export const ENROLLMENT_SOURCES = ['purchase', 'manual', 'membership', 'free', 'import'] as const;
export type EnrollmentSource = (typeof ENROLLMENT_SOURCES)[number];

export type Revocation = 'revoke' | 'nothing';

/**
 * Revoking ends an enrolment that is pending or active. Once more changes nothing and is no mistake: whoever lost the
 * first answer must be able to ask again. One that has run out cannot be revoked any more.
 */
export function revocation(state: EnrollmentState): Revocation {
  switch (state) {
    case 'pending':
    case 'active':
      return 'revoke';
    case 'revoked':
      return 'nothing';
    case 'expired':
      throw new Outcome('invalid_state', 'The enrolment has expired already');
  }
}

/** What extending does: an ended enrolment is active again, a live one that ends at that time already stays as it is. */
export type Extension = 'reopen' | 'reschedule' | 'nothing';

export function extension(state: EnrollmentState, now: Date | null, wanted: string | null | undefined): Extension {
  if (wanted === undefined) return 'nothing';
  if (state === 'expired' || state === 'revoked') return 'reopen';
  const until = wanted === null ? null : new Date(wanted).getTime();
  return (now?.getTime() ?? null) === until ? 'nothing' : 'reschedule';
}

/** A student who was removed is added again before they are enrolled. */
export function requireActiveStudent(state: StudentState): void {
  if (state === 'removed') {
    throw new Outcome('invalid_state', 'The student was removed from the site', {
      hint: 'Add the student again first',
    });
  }
}

/** Access that ends has to end later than now. */
export function requireFuture(expires_at: string | null, now: Date): void {
  if (expires_at !== null && new Date(expires_at) <= now) {
    throw new Outcome('validation_failed', 'The enrolment would have expired already', {
      errors: [{ pointer: '/expires_at', code: 'too_small', detail: 'Must be in the future' }],
    });
  }
}
