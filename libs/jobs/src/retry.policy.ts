import type { QueueDeclaration } from './queue-declaration.js';

export type RetryRule = Pick<QueueDeclaration, 'attempts' | 'firstRetrySeconds' | 'longestRetrySeconds'>;

/** Returns the seconds until the next attempt. Each pause is twice the previous one. Null after the last attempt. */
export function retrySeconds(
  made: number,
  { attempts, firstRetrySeconds, longestRetrySeconds }: RetryRule,
): number | null {
  return made >= attempts ? null : Math.min(longestRetrySeconds, firstRetrySeconds * 2 ** (made - 1));
}
