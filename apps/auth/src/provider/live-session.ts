/** A browser in which a person is signed in at a site. */
export interface LiveSession {
  /** The id that form tokens are bound to; the cookie has another value. */
  readonly uid: string;
  /** The time of the sign-in. */
  readonly began_at: Date;
  /** The last authorization that used it, or else the sign-in. Account pages do not update it. */
  readonly used_at: Date;
}
