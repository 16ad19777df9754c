import type { Scope } from '@lyceum/contracts';
import type { ClientAudience } from '#src/scopes/grantable.policy.js';

/**
 * The origin of a client: created at a site, of a vendor platform, registered from a loopback address, or a document.
 */
export type ClientSource = 'site' | 'platform' | 'loopback' | 'document';

/** The review of a client by document by the site. */
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
  /** SHA-256 of the secret before, while it is valid. */
  readonly previous_secret_hash: Buffer | null;
  readonly previous_secret_until: Date | null;
  readonly redirect_uris: readonly string[];
  /** Redirect URIs after a logout (OpenID Connect RP-Initiated Logout §2). */
  readonly post_logout_redirect_uris: readonly string[];
  /** Accepts a missing `state`, and a missing `resource` at the token request. */
  readonly compatibility_mode: boolean;
  readonly scopes: readonly Scope[];
  /** Null for a client without a document. */
  readonly review: Review | null;
  readonly version: number;
  readonly created_at: Date;
  /** To the hour. */
  readonly last_used_at: Date | null;
}

/** The mutable fields of a client. */
export type ClientChange = Pick<
  OAuthClient,
  | 'name'
  | 'secret_hash'
  | 'previous_secret_hash'
  | 'previous_secret_until'
  | 'redirect_uris'
  | 'post_logout_redirect_uris'
  | 'compatibility_mode'
  | 'scopes'
  | 'review'
>;

/** A client without a secret beside the current one. */
export const NO_PREVIOUS_SECRET = { previous_secret_hash: null, previous_secret_until: null } as const;
