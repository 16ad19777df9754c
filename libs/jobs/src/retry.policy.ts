import type { QueueDeclaration } from './queue-declaration.js';

export type RetryRule = Pick<QueueDeclaration, 'attempts' | 'firstRetrySeconds' | 'longestRetrySeconds'>;

/** Seconds until the next attempt after so many: each pause is twice the one before. Null after the last attempt. */
export function retrySeconds(
  made: number,
  { attempts, firstRetrySeconds, longestRetrySeconds }: RetryRule,
): number | null {
  return made >= attempts ? null : Math.min(longestRetrySeconds, firstRetrySeconds * 2 ** (made - 1));
}
