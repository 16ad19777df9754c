/** Who has proved to be a person, and how often all sessions of the person had ended by then: after one more it is void. */
export interface Authenticated {
  readonly person_id: string;
  readonly sign_outs: number;
}

/** … and how (RFC 8176). */
export interface SignedIn extends Authenticated {
  readonly amr: readonly string[];
}
