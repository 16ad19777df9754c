import type { POST_ACCESS_TYPES } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { allowedMove } from '#src/moves/move.policy.js';
import type { Moves } from '#src/moves/move.policy.js';

export const POST_STATES = ['draft', 'scheduled', 'published', 'archived'] as const;
export type PostState = (typeof POST_STATES)[number];

interface Dated {
  readonly state: PostState;
  readonly published_at: Date | null;
}

/** Returns the state at an instant. A scheduled post is published from its date on. */
export function stateAt({ state, published_at }: Dated, now: Date): PostState {
  return state === 'scheduled' && published_at !== null && published_at <= now ? 'published' : state;
}

/** A published post is scheduled until its date. */
const MOVES = {
  publish: { from: ['draft'], to: 'scheduled', later: ['published'], event: 'scheduled' },
  unpublish: { from: ['scheduled', 'published'], to: 'draft', event: 'unpublished' },
  archive: { from: ['published'], to: 'archived', event: 'archived' },
} as const satisfies Moves<PostState>;
export type PostMove = keyof typeof MOVES;

interface Moved {
  readonly event: 'scheduled' | 'published' | 'unpublished' | 'archived';
  readonly changes: { readonly state: PostState; readonly published_at?: Date };
}

/** Returns the change of a move; undefined for a post in the target state. @throws `invalid_state` */
export function moveOf(post: Dated, name: PostMove, now: Date): Moved | undefined {
  const move = allowedMove('A post', MOVES, stateAt(post, now), name);
  if (move === undefined) return undefined;
  if (name !== 'publish') return { event: move.event, changes: { state: move.to } };
  const published_at = post.published_at ?? now;
  const to = published_at > now ? 'scheduled' : 'published';
  return { event: to, changes: { state: to, published_at } };
}

/** Members that name other objects. They alone change in an archived post, so that it keeps none of them for good. */
const REFERENCES = ['category_id', 'course_id', 'author_id'];

/** @throws `invalid_state` for an archived post */
export function requireEditable({ state }: Dated, patch: object): void {
  if (state !== 'archived' || Object.keys(patch).every((member) => REFERENCES.includes(member))) return;
  throw new ApiError('invalid_state', 'An archived post cannot change', { hint: 'Create another post' });
}

/**
 * Returns the state of a post after a change of its date. A scheduled post whose date has come is published.
 *
 * @param state before the change
 * @throws `validation_failed` for a date that a scheduled or published post cannot have
 */
export function stateWith(published_at: Date | null, state: PostState, now: Date): PostState {
  const refuse = (code: 'required' | 'too_large', detail: string): never => {
    throw new ApiError('validation_failed', `A ${state} post cannot have this date`, {
      errors: [{ pointer: '/published_at', code, detail }],
      hint: 'Unpublish the post first',
    });
  };
  if (state === 'draft' || state === 'archived') return state;
  if (published_at === null) return refuse('required', `A ${state} post has a date`);
  if (state === 'published' && published_at > now) return refuse('too_large', 'At most the current time');
  return published_at > now ? 'scheduled' : 'published';
}

interface Readable {
  readonly access_type: (typeof POST_ACCESS_TYPES)[number];
  readonly body_html: string | null;
}

/** Returns the body of a post if everyone may read it. */
export function bodyForVisitors({ access_type, body_html }: Readable): string | null {
  return access_type === 'public_access' ? body_html : null;
}
