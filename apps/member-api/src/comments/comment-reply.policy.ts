import type { commentEvents } from '@lyceum/contracts';
import type { z } from 'zod';
import { isNews } from '#src/notifications/kinds.policy.js';

type Comment = z.output<(typeof commentEvents)['data']>;

/** Who is told of a comment: the author of the one that it answers, unless they answered themselves. Null for nobody. */
export function repliedTo({ state, parent, author_person_id, posted_at }: Comment, now: number): string | null {
  const author = parent?.author_person_id ?? null;
  const tells = state === 'visible' && author !== author_person_id && isNews(posted_at, now);
  return tells ? author : null;
}
