import { allowedMove } from '#src/moves/move.policy.js';
import type { Moves } from '#src/moves/move.policy.js';

export const PUBLICATION_STATES = ['draft', 'published', 'unpublished', 'archived'] as const;
export type PublicationState = (typeof PUBLICATION_STATES)[number];

/** draft → published ⇄ unpublished → archived */
const TRANSITIONS = {
  publish: { from: ['draft', 'unpublished'], to: 'published', event: 'published' },
  unpublish: { from: ['published'], to: 'unpublished', event: 'unpublished' },
  archive: { from: ['unpublished'], to: 'archived', event: 'archived' },
} as const satisfies Moves<PublicationState>;

export type Transition = keyof typeof TRANSITIONS;

/**
 * Returns the state after a transition, and its event; undefined for an object that has this state already.
 *
 * @param one the name of the object in messages, as in `course`
 * @throws `invalid_state`
 */
export function transitionOf<Name extends Transition>(
  one: string,
  state: PublicationState,
  name: Name,
): (typeof TRANSITIONS)[Name] | undefined {
  return allowedMove(`A ${one}`, TRANSITIONS, state, name);
}

/** Returns the time of the first publication. */
export function publishedAt(
  object: { readonly published_at: Date | null },
  to: PublicationState,
  now: Date,
): Date | null {
  return to === 'published' ? (object.published_at ?? now) : object.published_at;
}
