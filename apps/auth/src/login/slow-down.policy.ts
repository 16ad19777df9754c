/**
 * After so many attempts of one account from one source the next has to wait, twice as long each time, up to the longest.
 * A source that kept quiet for a while starts anew.
 */
export const SLOW_DOWN = {
  freeAttempts: 5,
  firstWaitSeconds: 5,
  longestWaitSeconds: 900,
  forgottenAfterSeconds: 3600,
} as const;
