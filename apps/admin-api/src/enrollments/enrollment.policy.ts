import { Outcome } from '@lyceum/errors';
import type { StudentState } from '#src/students/student.policy.js';

export const ENROLLMENT_STATES = ['pending', 'active', 'expired', 'revoked'] as const;
export type EnrollmentState = (typeof ENROLLMENT_STATES)[number];

export const ENROLLMENT_SOURCES = ['purchase', 'manual', 'membership', 'free', 'import'] as const;
export type EnrollmentSource = (typeof ENROLLMENT_SOURCES)[number];

export type Revocation = 'revoke' | 'nothing';

export function isLive(state: EnrollmentState): boolean {
  return state === 'pending' || state === 'active';
}

/** Revoking twice is a no-op, so a client can retry after a lost response. An expired enrollment cannot be revoked. */
export function revocation(state: EnrollmentState): Revocation {
  switch (state) {
    case 'pending':
    case 'active':
      return 'revoke';
    case 'revoked':
      return 'nothing';
    case 'expired':
      throw new Outcome('invalid_state', 'The enrollment has expired already');
  }
}

/** Extending makes an ended enrollment active again. A live one that ends at that time already stays as it is. */
export type Extension = 'reopen' | 'reschedule' | 'nothing';

export function extension(state: EnrollmentState, now: Date | null, wanted: Date | null | undefined): Extension {
  if (wanted === undefined) return 'nothing';
  if (!isLive(state)) return 'reopen';
  return now?.getTime() === wanted?.getTime() ? 'nothing' : 'reschedule';
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
export function requireFuture(expires_at: Date | null, now: Date): void {
  if (expires_at !== null && expires_at <= now) {
    throw new Outcome('validation_failed', 'The enrollment would have expired already', {
      errors: [{ pointer: '/expires_at', code: 'too_small', detail: 'Must be in the future' }],
    });
  }
}
