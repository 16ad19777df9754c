import type { ClientSource } from '#src/clients/client.js';

/** An application that a person has approved at a site. */
export interface ConnectedApplication {
  readonly client_key: string;
  readonly client_id: string;
  readonly name: string;
  readonly source: ClientSource;
  /** True for a registered client, and for a document that the site has not reviewed. */
  readonly unverified: boolean;
  /** Those of all grants, and those of the remembered approval. */
  readonly scopes: readonly string[];
  /** Null when the approval is remembered and no grant exists. */
  readonly connected_at: Date | null;
  /** The latest issue of tokens, which an application in use renews every two hours. Null without a grant. */
  readonly used_at: Date | null;
}

/** Applications of one page of the account. */
export interface ApplicationsPage {
  readonly applications: readonly ConnectedApplication[];
  /** Counts from 1. */
  readonly number: number;
  readonly more: boolean;
}
