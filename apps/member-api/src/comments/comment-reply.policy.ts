import type { commentEvents } from '@lyceum/contracts';
import type { z } from 'zod';
import { isRecent } from '#src/notifications/kinds.policy.js';

type Comment = z.output<(typeof commentEvents)['data']>;

/** Returns the recipient of a reply notification: the author of the parent comment. Null for a reply to oneself. */
export function repliedTo({ state, parent, author_person_id, posted_at }: Comment, now: number): string | null {
  const author = parent?.author_person_id ?? null;
  const notifies = state === 'visible' && author !== author_person_id && isRecent(posted_at, now);
  return notifies ? author : null;
}
