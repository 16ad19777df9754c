import type { LECTURE_STATES, LECTURE_TYPES } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';

export type LectureState = (typeof LECTURE_STATES)[number];
export type LectureType = (typeof LECTURE_TYPES)[number];

/** draft ⇄ published */
const TRANSITIONS = {
  publish: { from: 'draft', to: 'published', event: 'published' },
  unpublish: { from: 'published', to: 'draft', event: 'unpublished' },
} as const satisfies Record<string, { from: LectureState; to: LectureState; event: string }>;

export type LectureTransition = keyof typeof TRANSITIONS;

/** The state that a transition leads to, and the event that says so. */
export function transition(state: LectureState, name: LectureTransition): (typeof TRANSITIONS)[LectureTransition] {
  const rule = TRANSITIONS[name];
  if (rule.from === state) return rule;
  throw new ApiError('invalid_state', `A lecture that is ${state} cannot be changed by ${name}`, {
    hint: `${name} works from: ${rule.from}`,
  });
}
