import type { Scope } from '@lyceum/contracts';
import type { ClientAudience } from '#src/scopes/grantable.policy.js';

/** How a client came to be: made at a site, a vendor platform's, registered from a loopback address, or a document. */
export type ClientSource = 'site' | 'platform' | 'loopback' | 'document';

/** What the operator of a site thinks of a client that describes itself by a document. */
export type Review = 'unreviewed' | 'approved' | 'blocked';

export interface OAuthClient {
  readonly client_key: string;
  readonly client_id: string;
  /** Null for the clients of vendor platforms. */
  readonly site_id: string | null;
  readonly name: string;
  readonly audience: ClientAudience;
  readonly source: ClientSource;
  /** SHA-256 of the secret; null for a public client. */
  readonly secret_hash: Buffer | null;
  readonly redirect_uris: readonly string[];
  /** Where a browser may go after a sign-out (OpenID Connect RP-Initiated Logout §2). */
  readonly post_logout_redirect_uris: readonly string[];
  /** Accepts a missing `state`, and a missing `resource` at the token request. */
  readonly compatibility_mode: boolean;
  readonly scopes: readonly Scope[];
  /** Null for every client that is none by document. */
  readonly review: Review | null;
  readonly version: number;
  readonly created_at: Date;
}

/** All that can change of a client. */
export type ClientChange = Pick<
  OAuthClient,
  'name' | 'secret_hash' | 'redirect_uris' | 'post_logout_redirect_uris' | 'compatibility_mode' | 'scopes' | 'review'
>;
