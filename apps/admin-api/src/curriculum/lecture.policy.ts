import type { LECTURE_STATES, LECTURE_TYPES } from '@lyceum/contracts';
import { allowedMove } from '#src/moves/move.policy.js';
import type { Moves } from '#src/moves/move.policy.js';

export type LectureState = (typeof LECTURE_STATES)[number];
export type LectureType = (typeof LECTURE_TYPES)[number];

/** draft ⇄ published */
const TRANSITIONS = {
  publish: { from: ['draft'], to: 'published', event: 'published' },
  unpublish: { from: ['published'], to: 'draft', event: 'unpublished' },
} as const satisfies Moves<LectureState>;

export type LectureTransition = keyof typeof TRANSITIONS;

/** The state that a transition leads to, and the event that says so; undefined for a lecture that has this state. */
export function transition(
  state: LectureState,
  name: LectureTransition,
): (typeof TRANSITIONS)[LectureTransition] | undefined {
  return allowedMove('A lecture', TRANSITIONS, state, name);
}
