const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Every lifetime of the authorization server, in seconds. auth.md and the engine are both fed from here. */
export const LIFETIMES = {
  authorizationCode: 60,
  accessToken: 2 * HOUR,
  idToken: 10 * MINUTE,
  /** Each refresh restarts it … */
  refreshToken: 30 * DAY,
  /** … but not past this age of the first one. */
  refreshTokenFamily: 180 * DAY,
  /** How long an approval is remembered for the same or fewer scopes. */
  consent: 90 * DAY,
  /** Time to sign in and decide. */
  interaction: 30 * MINUTE,
  /** A browser stays signed in; each authorization restarts it. */
  session: 14 * DAY,
  /** A sign-in ends at this age, however often its browser is used. */
  sessionAtMost: 90 * DAY,
  /** A browser counts as known to an account for so long after a sign-in. */
  knownDevice: 90 * DAY,
  invitation: 7 * DAY,
  passwordReset: HOUR,
  /** Time to make a passkey or to sign in with one: the longest that Web Authentication Level 3 §15.1 recommends. */
  passkeyChallenge: 10 * MINUTE,
  /** Outlives every token that hangs from it; the engine ends it without sliding. */
  grant: 181 * DAY,
} as const;

/** How often one refresh token may be repeated within its window. auth.md shows it. */
export const MAX_REPEATS = 3;

/** Lifetime of a session from now on, of a sign-in at `signedInAt` (seconds since 1970): 14 days, cut by what is left of 90. */
export function sessionLifetime(signedInAt: number | undefined): number {
  const age = signedInAt === undefined ? 0 : Math.floor(Date.now() / 1000) - signedInAt;
  return Math.max(1, Math.min(LIFETIMES.session, LIFETIMES.sessionAtMost - age));
}

/** Lifetime of a new refresh token whose family began `age` seconds ago: 30 days, cut by what is left of 180. */
export function refreshTokenLifetime(age: number): number {
  return Math.max(1, Math.min(LIFETIMES.refreshToken, LIFETIMES.refreshTokenFamily - age));
}
