/**
 * A person who has proved their identity, and the number of times that all sessions of the person had ended by then:
 * one more makes the proof void.
 */
export interface Authenticated {
  readonly person_id: string;
  readonly sign_outs: number;
}

/** The authentication methods (RFC 8176). */
export interface SignedIn extends Authenticated {
  readonly amr: readonly string[];
}
