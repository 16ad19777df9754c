/**
 * A person who has proved their identity, and the number of times that all sessions of the person had ended by then:
 * one more makes the proof void.
 */
export interface Authenticated {
  readonly person_id: string;
  readonly sign_outs: number;
}

export interface SignedIn extends Authenticated {
  /** The authentication methods (RFC 8176). */
  readonly amr: readonly string[];
  /** Seconds since 1970. Undefined for a sign-in by this request. */
  readonly signed_in_at?: number;
}
