const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Every lifetime of the authorization server, in seconds, for auth.md and for the engine. */
export const LIFETIMES = {
  authorizationCode: 60,
  /** How long a code is remembered after that, so that a second use revokes its tokens. */
  rememberedCode: DAY,
  accessToken: 2 * HOUR,
  idToken: 10 * MINUTE,
  /** Restarted by each refresh … */
  refreshToken: 30 * DAY,
  /** … up to this age of the first one. */
  refreshTokenFamily: 180 * DAY,
  /** How long an approval is remembered for the same or fewer scopes. */
  consent: 90 * DAY,
  /** The time to sign in and decide. */
  interaction: 30 * MINUTE,
  /** The time in which a repeated decision or change of the password is sent to where the first one went. */
  repeatedDecision: MINUTE,
  /** The lifetime of a browser session, restarted by each authorization. */
  session: 14 * DAY,
  /** A sign-in ends at this age, even in continuous use. */
  sessionAtMost: 90 * DAY,
  /** How long a browser counts as known to an account after a sign-in. */
  knownDevice: 90 * DAY,
  /** The time in which a form that was sent twice changes one thing, and in which a new secret can be read. */
  formSubmission: 10 * MINUTE,
  /** The time until the page after a form shows its result. */
  notice: MINUTE,
  /** A client that registered itself is deleted without a use for so long … */
  unusedRegistration: HOUR,
  /** … or so long after its last use. */
  registration: 90 * DAY,
  invitation: 7 * DAY,
  passwordReset: HOUR,
  /** The time in which both addresses must agree to a change of the email address. */
  emailChange: DAY,
  /** The link that confirms the address of a new account. */
  signUpLink: HOUR,
  signInLink: 10 * MINUTE,
  /** The time to create or use a passkey: the longest that Web Authentication Level 3 §15.1 recommends. */
  passkeyChallenge: 10 * MINUTE,
  /** Longer than every token of the grant; the engine ends it without extension. */
  grant: 181 * DAY,
} as const;

/** The number of repeats of one refresh token within its window. auth.md shows it. */
export const MAX_REPEATS = 3;

/**
 * Remaining lifetime of a session whose sign-in was at `signedInAt` (seconds since 1970): 14 days, limited to a total
 * of 90.
 */
export function sessionLifetime(signedInAt: number | undefined): number {
  const age = signedInAt === undefined ? 0 : Math.floor(Date.now() / 1000) - signedInAt;
  return Math.max(1, Math.min(LIFETIMES.session, LIFETIMES.sessionAtMost - age));
}

/** Lifetime of a new refresh token whose family is `age` seconds old: 30 days, limited to a total of 180. */
export function refreshTokenLifetime(age: number): number {
  return Math.max(1, Math.min(LIFETIMES.refreshToken, LIFETIMES.refreshTokenFamily - age));
}
