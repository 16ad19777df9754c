/** Tries of a mail before it is given up: the last one comes some two days after the first. */
export const ATTEMPTS = 14;
const FIRST_SECONDS = 30;
const LONGEST_SECONDS = 6 * 3_600;

/** Seconds until a mail is tried again after so many attempts; null when it has been tried enough. */
export function retryAfter(attempts: number): number | null {
  return attempts >= ATTEMPTS ? null : Math.min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** (attempts - 1));
}
