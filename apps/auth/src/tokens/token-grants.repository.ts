import { Injectable } from '@nestjs/common';
import { Sql, isDatabaseUnavailable } from '@lyceum/platform';
import type { Statement } from '@lyceum/platform';
import { AuthSettings } from '#src/auth.environment.js';
import type { PersonAtSite } from '#src/people/claims.policy.js';
import { sha256 } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';
import { batchLoader } from './batch-loader.js';
import { BY_CODE, BY_REFRESH_TOKEN } from './credential-lookups.js';
import type { NewTokens } from './new-tokens.js';
import { EXCHANGE, REFRESH } from './redemptions.js';
import type { Redemption } from './redemptions.js';
import type { CodeState, RefreshTokenState } from './token-request.policy.js';

/** A client with the credential that it presents. */
export interface CredentialLookup<Credential> {
  readonly client_key: string;
  readonly client_id: string;
  readonly secret_hash: Buffer | null;
  readonly previous_secret_hash: Buffer | null;
  readonly compatibility_mode: boolean;
  /** Undefined when the credential does not exist for this client and site. */
  readonly credential: Credential | undefined;
}

export interface FoundCode extends CodeState, Omit<PersonAtSite, 'org_id'> {
  readonly grant_id: string;
  readonly nonce: string | null;
  /** Present when the authorization request required it (OpenID Connect Core §2). */
  readonly auth_time: number | null;
}

export interface FoundRefreshToken extends RefreshTokenState {
  readonly grant_id: string;
  /** Seconds since 1970. */
  readonly family_began_at: number;
}

type Row<Credential> = Omit<CredentialLookup<Credential>, 'credential'> & { readonly n: number } & (
    | Credential
    | { readonly [column in keyof Credential]: null }
  );

/** The key of a code or refresh token that a client presents. */
export interface CredentialKey {
  readonly site: SiteRecord;
  readonly clientId: string;
  readonly value: string;
}

/** The credential to use, and the tokens to issue for it. */
export interface Issuance {
  readonly site: SiteRecord;
  /** The code or refresh token. */
  readonly value: string;
  readonly grant_id: string;
  readonly tokens: NewTokens;
}

type Redeemed = 'redeemed' | 'repeated';

/**
 * Redeems codes and refresh tokens: one statement reads everything for the decision, one executes it. Consuming is
 * compare-and-set: of two concurrent uses one finds the credential unused. The requests of one turn of the event loop
 * share both statements; a request that finds its grant locked, or another use of its grant in its turn, redeems alone
 * afterwards.
 */
@Injectable()
export class TokenGrantsRepository {
  readonly #repeatSeconds: number;
  readonly #codes = batchLoader<CredentialKey, CredentialLookup<FoundCode>>((keys) => this.#find(BY_CODE, keys));
  readonly #refreshTokens = batchLoader<CredentialKey, CredentialLookup<FoundRefreshToken>>((keys) =>
    this.#find(BY_REFRESH_TOKEN, keys, this.#repeatSeconds),
  );
  readonly #exchanges = batchLoader<Issuance, Redeemed>((issuances) => this.#together(EXCHANGE, issuances));
  readonly #refreshes = batchLoader<Issuance, Redeemed>((issuances) =>
    this.#together(REFRESH, issuances, this.#repeatSeconds),
  );

  constructor(
    private readonly sql: Sql,
    settings: AuthSettings,
  ) {
    this.#repeatSeconds = settings.values.REFRESH_REPEAT_SECONDS;
  }

  /** Undefined for an unknown client. */
  byCode(key: CredentialKey): Promise<CredentialLookup<FoundCode> | undefined> {
    return this.#codes.load(key);
  }

  byRefreshToken(key: CredentialKey): Promise<CredentialLookup<FoundRefreshToken> | undefined> {
    return this.#refreshTokens.load(key);
  }

  /** False when the code was used in the meantime, or its grant is gone: then nothing was written. */
  async exchange(issuance: Issuance): Promise<boolean> {
    const result = (await this.#exchanges.load(issuance)) ?? (await this.#alone(EXCHANGE, issuance));
    return result !== undefined;
  }

  /** `refused` when the token was used in the meantime and may not be repeated, or its grant is gone. */
  async refresh(issuance: Issuance): Promise<Redeemed | 'refused'> {
    const result =
      (await this.#refreshes.load(issuance)) ?? (await this.#alone(REFRESH, issuance, this.#repeatSeconds));
    return result ?? 'refused';
  }

  /** Undefined for an issuance that this turn cannot redeem. A rejected statement has redeemed nothing. */
  async #together(
    { together }: Redemption,
    issuances: readonly Issuance[],
    ...more: unknown[]
  ): Promise<readonly (Redeemed | undefined)[]> {
    const results = new Map<Issuance, Redeemed>();
    const distinct = ofDistinctGrants(issuances);
    try {
      for (const { n, repeated } of await this.#redeem(together, distinct, more)) {
        const issuance = distinct[n - 1];
        if (issuance !== undefined) results.set(issuance, repeated ? 'repeated' : 'redeemed');
      }
    } catch (error) {
      // After a lost connection nothing is known, and a second use would count as a replay.
      if (isDatabaseUnavailable(error)) throw error;
    }
    return issuances.map((issuance) => results.get(issuance));
  }

  async #alone({ alone }: Redemption, issuance: Issuance, ...more: unknown[]): Promise<Redeemed | undefined> {
    const [row] = await this.#redeem(alone, [issuance], more);
    return row && (row.repeated ? 'repeated' : 'redeemed');
  }

  #redeem(
    statement: Statement,
    issuances: readonly Issuance[],
    more: readonly unknown[],
  ): Promise<{ n: number; repeated: boolean }[]> {
    const tokens = issuances.map((issuance) => issuance.tokens);
    return this.sql.query(statement, [
      issuances.map(({ value }) => sha256(value)),
      issuances.map(({ site }) => site.site_id),
      issuances.map(({ grant_id }) => grant_id),
      tokens.map(({ accessHash }) => accessHash),
      issuances.map(({ site }) => site.base_url),
      tokens.map(({ scope }) => scope),
      tokens.map(({ issuedAt }) => issuedAt),
      tokens.map(({ accessExpiresAt }) => accessExpiresAt),
      tokens.map(({ refreshHash }) => refreshHash),
      tokens.map(({ refreshRecord }) => JSON.stringify(refreshRecord)),
      tokens.map(({ refreshExpiresAt }) => refreshExpiresAt),
      ...more,
    ]);
  }

  async #find<Credential extends { readonly grant_id: string }>(
    statement: Statement,
    keys: readonly CredentialKey[],
    ...more: unknown[]
  ): Promise<readonly (CredentialLookup<Credential> | undefined)[]> {
    const rows = await this.sql.query<Row<Credential>>(statement, [
      keys.map(({ clientId }) => clientId),
      keys.map(({ site }) => site.site_id),
      keys.map(({ value }) => sha256(value)),
      keys.map(({ site }) => site.base_url),
      ...more,
    ]);
    const byRequest = new Map(rows.map((row) => [row.n, toLookup(row)]));
    return keys.map((_, index) => byRequest.get(index + 1));
  }
}

/** The first issuance of each grant. */
function ofDistinctGrants(issuances: readonly Issuance[]): Issuance[] {
  const first = new Map<string, Issuance>();
  for (const issuance of issuances) if (!first.has(issuance.grant_id)) first.set(issuance.grant_id, issuance);
  return [...first.values()];
}

function toLookup<Credential extends { readonly grant_id: string }>(
  row: Row<Credential>,
): CredentialLookup<Credential> {
  const { client_key, client_id, secret_hash, previous_secret_hash, compatibility_mode } = row;
  return {
    client_key,
    client_id,
    secret_hash,
    previous_secret_hash,
    compatibility_mode,
    credential: row.grant_id === null ? undefined : row,
  };
}
