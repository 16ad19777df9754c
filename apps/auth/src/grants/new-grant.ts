/** A grant that is not stored yet. */
export interface NewGrant {
  readonly grant_id: string;
  readonly site_id: string;
  readonly person_id: string;
  readonly client_id: string;
  /** The number of times that all grants of the person had ended at the time of the sign-in. */
  readonly sign_outs: number;
  /** The client must still have all of them. */
  readonly scopes: readonly string[];
  readonly payload: object;
  readonly expires_at: number;
}
