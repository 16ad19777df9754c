/**
 * After this many attempts of one account from one source each further one waits, twice as long each time, up to the
 * maximum. A quiet period resets the count.
 */
export const SLOW_DOWN = {
  freeAttempts: 5,
  firstWaitSeconds: 5,
  longestWaitSeconds: 900,
  forgottenAfterSeconds: 3600,
} as const;

/**
 * The same for one account from all sources together, so that guesses from many addresses are slow too (NIST SP 800-63B
 * §3.2.2). Browsers that signed in to the account before are counted and wait by themselves, so strangers do not delay
 * them.
 */
export const SLOW_DOWN_EVERYWHERE = {
  freeAttempts: 50,
  firstWaitSeconds: 60,
  longestWaitSeconds: 3600,
  forgottenAfterSeconds: 86_400,
} as const;
