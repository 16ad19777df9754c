import { LIFETIMES, refreshTokenLifetime } from '#src/protocol/lifetimes.js';
import { randomToken, sha256 } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';

/** The stored record of a refresh token. The names are the engine's, whose records have the same form. */
interface RefreshRecord {
  /** The scope of the grant; a refresh may request less. */
  readonly scope: string;
  readonly iat: number;
  /** When the first token of the family was issued. */
  readonly iiat: number;
}

export interface NewTokensInput {
  /** The scope of the access token. */
  readonly scope: string;
  /** The scope of the refresh token, which is never narrowed. */
  readonly refreshScope: string;
  /** True for an access token alone. */
  readonly withoutRefresh?: boolean;
  /** Undefined for a new family. Seconds since 1970. */
  readonly familyBeganAt?: number;
}

/** A new pair: the values for the client, and the stored digests. Times are seconds since 1970. */
export class NewTokens {
  readonly #access = randomToken();
  readonly #refresh = randomToken();
  readonly accessHash = sha256(this.#access);
  readonly refreshHash: Buffer | null;
  readonly issuedAt = Math.floor(Date.now() / 1000);
  readonly accessExpiresAt = this.issuedAt + LIFETIMES.accessToken;
  readonly refreshExpiresAt: number;
  readonly refreshRecord: RefreshRecord;
  readonly scope: string;

  constructor({ scope, refreshScope, withoutRefresh = false, familyBeganAt }: NewTokensInput) {
    const iiat = familyBeganAt ?? this.issuedAt;
    this.scope = scope;
    this.refreshHash = withoutRefresh ? null : sha256(this.#refresh);
    this.refreshRecord = { scope: refreshScope, iat: this.issuedAt, iiat };
    this.refreshExpiresAt = this.issuedAt + refreshTokenLifetime(this.issuedAt - iiat);
  }

  /** RFC 6749 §5.1, with the time of issue and the school. */
  response(site: SiteRecord, id_token?: string): object {
    return {
      access_token: this.#access,
      token_type: 'Bearer',
      expires_in: LIFETIMES.accessToken,
      ...(this.refreshHash === null ? {} : { refresh_token: this.#refresh }),
      scope: this.scope,
      ...(id_token === undefined ? {} : { id_token }),
      created_at: this.issuedAt,
      school_id: site.org_id,
    };
  }
}
