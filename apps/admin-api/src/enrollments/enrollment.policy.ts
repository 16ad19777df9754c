import { ApiError } from '@lyceum/errors';
import type { CourseState } from '#src/courses/course.policy.js';

export const ENROLLMENT_STATES = ['pending', 'active', 'expired', 'revoked'] as const;
export type EnrollmentState = (typeof ENROLLMENT_STATES)[number];

export const ENROLLMENT_SOURCES = ['purchase', 'manual', 'membership', 'free', 'import'] as const;
export type EnrollmentSource = (typeof ENROLLMENT_SOURCES)[number];

export function isLive(state: EnrollmentState): boolean {
  return state === 'pending' || state === 'active';
}

/** The event of a change of access. */
export function enrollmentEventOf(
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

/** A change of the end must not give revoked access back by accident: extending does so on purpose. */
export function requireUnrevoked(state: EnrollmentState): void {
  if (state === 'revoked') {
    throw new ApiError('invalid_state', 'The enrollment was revoked: extend it to give access again');
  }
}

/**
 * An operator can enroll a student in any course that is not archived. Schools prepare a cohort before publication;
 * members see the course once it is published.
 */
export function requireOpenForEnrollment(state: CourseState): void {
  if (state === 'archived') throw new ApiError('invalid_state', 'Students cannot be enrolled in an archived course');
}

/** Expiring twice is a no-op. Only access that has begun can expire; revoked access has ended. */
export function requireExpirable(state: EnrollmentState): void {
  if (state === 'revoked') throw new ApiError('invalid_state', 'The enrollment was revoked already');
  if (state === 'pending') {
    throw new ApiError('invalid_state', 'The enrollment has not begun', { hint: 'Revoke the enrollment instead' });
  }
}

/** The end of access must be later than now and than the beginning. */
export function requireFuture(expires_at: Date | null, now: Date, pointer = '/expires_at'): void {
  if (expires_at !== null && expires_at <= now) {
    throw new ApiError('validation_failed', 'The enrollment would have expired already', {
      errors: [{ pointer, code: 'too_small', detail: 'Must be in the future' }],
    });
  }
}

/** A student learns while the enrollment is active. */
export function requireActive(state: EnrollmentState | undefined): void {
  if (state !== 'active') {
    throw new ApiError('invalid_state', 'The student has no active enrollment in this course', {
      hint: 'Enroll the student or extend the enrollment first',
    });
  }
}

export interface Completion {
  /** Completed part of the published lectures. */
  readonly completion_rate: number;
  /** When the last one of the completed lectures was completed. */
  readonly completed_at: Date | null;
}

/** The completion of an enrollment whose lectures are completed so far. The first completion of the course stays. */
export function completionAfter(known: Completion, { completion_rate, completed_at }: Completion): Completion {
  return { completion_rate, completed_at: known.completed_at ?? (completion_rate === 1 ? completed_at : null) };
}
