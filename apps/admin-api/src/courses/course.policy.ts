import { ApiError } from '@lyceum/errors';
import { PUBLICATION_STATES } from '#src/publication/publication.policy.js';
import type { PublicationState } from '#src/publication/publication.policy.js';

export const COURSE_STATES = PUBLICATION_STATES;
export type CourseState = PublicationState;

export const COURSE_TYPES = ['paid', 'public_access', 'free_redeem', 'pre_order'] as const;
export type CourseType = (typeof COURSE_TYPES)[number];

/** An archived course cannot be edited. */
export function requireEditable(state: CourseState): void {
  if (state === 'archived') throw new ApiError('invalid_state', 'An archived course cannot be changed');
}
