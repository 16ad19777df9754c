import { ApiError } from '@lyceum/errors';
import type { StudentState } from '#src/students/student.policy.js';

export const ENROLLMENT_STATES = ['pending', 'active', 'expired', 'revoked'] as const;
export type EnrollmentState = (typeof ENROLLMENT_STATES)[number];

export const ENROLLMENT_SOURCES = ['purchase', 'manual', 'membership', 'free', 'import'] as const;
export type EnrollmentSource = (typeof ENROLLMENT_SOURCES)[number];

export function isLive(state: EnrollmentState): boolean {
  return state === 'pending' || state === 'active';
}

/** The event that a change of access is published as. */
export function newsOf(
  before: EnrollmentState,
  after: EnrollmentState,
): 'activated' | 'extended' | 'expired' | 'revoked' {
  if (!isLive(after)) return after === 'revoked' ? 'revoked' : 'expired';
  return before === after ? 'extended' : 'activated';
}

/** Revoking twice is a no-op, so a client can retry after a lost response. An expired enrollment cannot be revoked. */
export function requireRevocable(state: EnrollmentState): void {
  if (state === 'expired') throw new ApiError('invalid_state', 'The enrollment has expired already');
}

/** A student who was removed is added again before they are enrolled. */
export function requireActiveStudent(state: StudentState): void {
  if (state === 'removed') {
    throw new ApiError('invalid_state', 'The student was removed from the site', {
      hint: 'Restore the student first',
    });
  }
}

/** Access that ends has to end later than now, and later than it begins. */
export function requireFuture(expires_at: Date | null, now: Date): void {
  if (expires_at !== null && expires_at <= now) {
    throw new ApiError('validation_failed', 'The enrollment would have expired already', {
      errors: [{ pointer: '/expires_at', code: 'too_small', detail: 'Must be in the future' }],
    });
  }
}
