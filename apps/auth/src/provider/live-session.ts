/** A browser in which a person is signed in at a site. */
export interface LiveSession {
  /** What forms of the session are bound to; the cookie is another value. */
  readonly uid: string;
  /** When the person signed in with it. */
  readonly began_at: Date;
  /** When an authorization used it last; the sign-in when none did. Pages beside it write nothing. */
  readonly used_at: Date;
}
