/** A browser in which a person is signed in at a site. */
export interface ActiveSession {
  /** The id that form tokens are bound to; the cookie has another value. */
  readonly uid: string;
  /** The User-Agent header of the sign-in. */
  readonly user_agent: string | null;
  /** The time of the sign-in. */
  readonly began_at: Date;
  /** The last authorization or account page that used it, or else the sign-in. */
  readonly used_at: Date;
}
