import { COMMENT_LIMITS } from '@lyceum/contracts';
import type { COMMENTABLE_TYPES, COMMENT_ACTIONS, COMMENT_STATES } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { beginningOf } from '@lyceum/platform';
import { allowedMove } from '#src/moves/move.policy.js';
import type { Move } from '#src/moves/move.policy.js';

export type CommentableType = (typeof COMMENTABLE_TYPES)[number];
export type CommentState = (typeof COMMENT_STATES)[number];
type CommentAction = (typeof COMMENT_ACTIONS)[number];

/** pending → visible ⇄ hidden */
const MOVES = {
  approve: { from: ['pending', 'hidden'], to: 'visible', event: 'approved' },
  hide: { from: ['pending', 'visible'], to: 'hidden', event: 'hidden' },
} as const satisfies Record<Exclude<CommentAction, 'delete'>, Move<CommentState>>;

/** Returns the change of an action. Undefined: the comment has the state of the action. */
export function moveOf(state: CommentState, action: keyof typeof MOVES): (typeof MOVES)[typeof action] | undefined {
  return allowedMove('A comment', MOVES, state, action);
}

/** The object of a comment. */
export interface Place {
  readonly commentable_type: CommentableType;
  readonly commentable_id: string;
  /** Null: a post. */
  readonly course_id: string | null;
}

interface Parent extends Pick<Place, 'commentable_id'> {
  readonly parent_id: string | null;
  readonly state: CommentState;
  readonly replies_count: number;
}

/**
 * Replies have one level, so a comment and its replies are deleted in one transaction.
 *
 * @throws `not_found` for a comment on another object; `validation_failed` for a reply; `invalid_state` for a comment
 *   that members do not see, or with `COMMENT_LIMITS.replies` replies
 */
export function requireParent(
  parent: Parent | undefined,
  { commentable_id }: Pick<Place, 'commentable_id'>,
): asserts parent is Parent {
  const errors = (code: 'not_found' | 'invalid_value' | 'invalid_state' | 'too_large', detail: string) => ({
    errors: [{ pointer: '/parent', code, detail }],
  });
  if (parent?.commentable_id !== commentable_id) {
    const detail = 'A comment on the same object';
    throw new ApiError('not_found', 'The object has no such comment', errors('not_found', detail));
  }
  if (parent.parent_id !== null) {
    const detail = 'A comment that is no reply';
    throw new ApiError('validation_failed', 'A reply has no replies', errors('invalid_value', detail));
  }
  if (parent.state !== 'visible') {
    const detail = `The comment is ${parent.state}`;
    throw new ApiError('invalid_state', 'Only a visible comment gets replies', errors('invalid_state', detail));
  }
  if (parent.replies_count >= COMMENT_LIMITS.replies) {
    const detail = `At most ${COMMENT_LIMITS.replies} replies`;
    throw new ApiError('invalid_state', 'The comment has too many replies', errors('too_large', detail));
  }
}

/** Characters of the excerpt in events. */
const EXCERPT_LENGTH = 200;

/** Returns the beginning of a text in one line. */
export function excerptOf(body: string): string {
  const line = body.replaceAll(/\s+/g, ' ').trim();
  return line.length <= EXCERPT_LENGTH ? line : `${beginningOf(line, EXCERPT_LENGTH - 1)}…`;
}
