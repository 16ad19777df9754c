import type { ClientSource } from '#src/clients/client.js';

/** An application that a person has let in at a site. */
export interface ConnectedApplication {
  readonly client_key: string;
  readonly client_id: string;
  readonly name: string;
  readonly source: ClientSource;
  /** It registered itself, or the site has not reviewed what it says of itself. */
  readonly unverified: boolean;
  readonly scopes: readonly string[];
  /** Null when the approval is remembered, but nothing was given for it that still stands. */
  readonly connected_at: Date | null;
}
