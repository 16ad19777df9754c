import type { LECTURE_STATES, LECTURE_TYPES } from '@lyceum/contracts';

export type LectureState = (typeof LECTURE_STATES)[number];
export type LectureType = (typeof LECTURE_TYPES)[number];

/** draft ⇄ published */
const TRANSITIONS = {
  publish: { from: 'draft', to: 'published', event: 'published' },
  unpublish: { from: 'published', to: 'draft', event: 'unpublished' },
} as const satisfies Record<string, { from: LectureState; to: LectureState; event: string }>;

export type LectureTransition = keyof typeof TRANSITIONS;

/** The state that a transition leads to, and the event that says so; undefined for a lecture that has this state. */
export function transition(
  state: LectureState,
  name: LectureTransition,
): (typeof TRANSITIONS)[LectureTransition] | undefined {
  const rule = TRANSITIONS[name];
  return rule.from === state ? rule : undefined;
}
