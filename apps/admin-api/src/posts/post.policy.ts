import type { POST_ACCESS_TYPES } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';

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

/** States that a move leads to. A post that has one of them stays as it is. */
const RESULTS = {
  publish: ['scheduled', 'published'],
  unpublish: ['draft'],
  archive: ['archived'],
} as const satisfies Record<PostMove, readonly PostState[]>;

const SOURCES = {
  publish: ['draft'],
  unpublish: ['scheduled', 'published'],
  archive: ['published'],
} as const satisfies Record<string, readonly PostState[]>;
export type PostMove = keyof typeof SOURCES;

interface Moved {
  readonly event: 'scheduled' | 'published' | 'unpublished' | 'archived';
  readonly changes: { readonly state: PostState; readonly published_at?: Date };
}

/** Returns the change of a move; undefined for a post in the target state. @throws `invalid_state` */
export function moveOf(post: Dated, name: PostMove, now: Date): Moved | undefined {
  const state = stateAt(post, now);
  if ((RESULTS[name] as readonly PostState[]).includes(state)) return undefined;
  const sources: readonly PostState[] = SOURCES[name];
  if (!sources.includes(state)) {
    throw new ApiError('invalid_state', `A post that is ${state} cannot be changed by ${name}`, {
      hint: `${name} works from: ${sources.join(', ')}`,
    });
  }
  if (name === 'unpublish') return { event: 'unpublished', changes: { state: 'draft' } };
  if (name === 'archive') return { event: 'archived', changes: { state: 'archived' } };
  const published_at = post.published_at ?? now;
  const to = published_at > now ? 'scheduled' : 'published';
  return { event: to, changes: { state: to, published_at } };
}

/** @throws `invalid_state` for an archived post */
export function requireEditable({ state }: Dated): void {
  if (state !== 'archived') return;
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
