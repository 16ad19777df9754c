import { commentEvents, eventType } from '@lyceum/contracts';
import type { EventOf } from '@lyceum/messaging';
import { isRecent } from '#src/notifications/kinds.policy.js';

const APPROVED = eventType(commentEvents, 'approved');

type CommentEvent = Pick<EventOf<[typeof commentEvents]>, 'type' | 'occurred_at' | 'data'>;

/** Returns the recipient of a reply notification: the author of the parent comment. Null for a reply to oneself. */
export function repliedTo({ type, occurred_at, data }: CommentEvent, now: number): string | null {
  const { state, parent, author_person_id, posted_at } = data;
  const author = parent?.author_person_id ?? null;
  // Before its approval the recipient could not see it.
  const happenedAt = type === APPROVED ? occurred_at : posted_at;
  const notifies = state === 'visible' && author !== author_person_id && isRecent(happenedAt, now);
  return notifies ? author : null;
}
