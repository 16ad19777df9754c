import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { Statement } from '@lyceum/platform';
import { AuthSettings } from '#src/auth.environment.js';
import { clientAtSite } from '#src/clients/client-at-site.js';
import { isPresent } from '#src/database/present-member.js';
import type { PersonAtSite } from '#src/people/claims.policy.js';
import { MAX_REPEATS } from '#src/protocol/lifetimes.js';
import { sha256 } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';
import { batchLoader } from './batch-loader.js';
import type { NewTokens } from './new-tokens.js';
import type { CodeState, RefreshTokenState } from './token-request.policy.js';

/** $1 client ids, $2 sites, $3 digests of credentials, $4 base_urls; n is the index of the key. */
const LOOKUP = `unnest($1::text[], $2::uuid[], $3::bytea[], $4::text[]) WITH ORDINALITY
      AS lookup (client_id, site_id, digest, base_url, n)`;
const CLIENT = clientAtSite('client_key, client_id, secret_hash, compatibility_mode', {
  clientId: 'lookup.client_id',
  siteId: 'lookup.site_id',
});

/** The state of credential t of client c. A credential of another client or site does not match. */
const CREDENTIAL_STATE = `
  t.grant_id, g.person_id, g.audience, t.expires_at <= now() OR g.expires_at <= now() AS expired,
  t.payload ->> 'scope' AS scope, g.payload #>> ARRAY['resources', lookup.base_url] AS granted,
  p.person_id IS NOT NULL AS has_person, coalesce(m.roles, '{}') AS roles`;
const JOINED = `
  JOIN grants g ON g.grant_id = t.grant_id AND g.client_key = c.client_key
  LEFT JOIN people p ON p.person_id = g.person_id AND p.state = 'active'
  LEFT JOIN site_members m ON m.person_id = g.person_id AND m.site_id = t.site_id AND ${isPresent('m')}`;

const BY_CODE = {
  name: 'token_by_code',
  text: `
    SELECT lookup.n::int, c.client_key, c.client_id, c.secret_hash, c.compatibility_mode, found.*
      FROM ${LOOKUP} CROSS JOIN LATERAL (${CLIENT}) c LEFT JOIN LATERAL (
        SELECT ${CREDENTIAL_STATE}, t.consumed_at IS NOT NULL AS used,
               t.payload ->> 'redirectUri' AS redirect_uri, t.payload ->> 'codeChallenge' AS code_challenge,
               t.payload ->> 'nonce' AS nonce,
               CASE WHEN t.payload #> '{claims,id_token,auth_time}' IS NOT NULL
                    THEN (t.payload ->> 'authTime')::int END AS auth_time,
               m.member_id, p.email, p.email_verified, coalesce(m.name, p.name) AS name, m.picture
          FROM authorization_codes t ${JOINED}
         WHERE t.code_hash = lookup.digest AND t.site_id = lookup.site_id) found ON true`,
};

/** Token t is on the live branch: none of its siblings was used, and none of its successors. */
const UNUSED = 't.consumed_at IS NULL AND t.rotation > g.used_rotation';
/**
 * A used token may be repeated within the window while none of its successors was used: the response was lost, or two
 * tabs refreshed at once. Any other use is a theft (RFC 9700 §4.14.2).
 */
const repeatable = (seconds: '$5' | '$13'): string => `
  ${seconds} > 0 AND t.consumed_at > now() - make_interval(secs => ${seconds}) AND t.rotation >= g.used_rotation`;

const BY_REFRESH_TOKEN = {
  name: 'token_by_refresh_token',
  text: `
    SELECT lookup.n::int, c.client_key, c.client_id, c.secret_hash, c.compatibility_mode, found.*
      FROM ${LOOKUP} CROSS JOIN LATERAL (${CLIENT}) c LEFT JOIN LATERAL (
        SELECT ${CREDENTIAL_STATE}, NOT (${UNUSED}) AND NOT (t.consumed_at IS NOT NULL AND ${repeatable('$5')}) AS used,
               t.consumed_at IS NOT NULL AND t.repeats >= ${MAX_REPEATS} AS exhausted,
               (t.payload ->> 'iiat')::int AS family_began_at
          FROM refresh_tokens t ${JOINED}
         WHERE t.token_hash = lookup.digest AND t.site_id = lookup.site_id) found ON true`,
};

/**
 * Uses a credential and issues tokens for it, atomically. $1 its digest, $2 site, $3 grant. Locks the grant before its
 * credentials. A revocation locks in the same order, so the two wait for each other without a deadlock; after a
 * revocation nothing is used and nothing is issued.
 */
function redeemStatement(use: {
  lock: 'KEY SHARE' | 'NO KEY UPDATE';
  /** A further CTE that `consume` reads. */
  before?: string;
  consume: string;
  rotation: string;
  events: string;
}): string {
  return `
    WITH live_grant AS MATERIALIZED (
      SELECT grant_id, person_id, client_id, used_rotation FROM grants
       WHERE grant_id = $3 AND site_id = $2 FOR ${use.lock}
    ), ${use.before ?? ''}used AS (${use.consume}
    ), access_token AS (
      INSERT INTO access_tokens (token_hash, grant_id, site_id, resource, scope, issued_at, expires_at)
      SELECT $4, grant_id, $2, $5, $6, to_timestamp($7), to_timestamp($8) FROM used
    ), refresh_token AS (
      INSERT INTO refresh_tokens (token_hash, grant_id, site_id, rotation, payload, expires_at)
      SELECT $9, grant_id, $2, ${use.rotation}, $10, to_timestamp($11) FROM used
    ), audited AS (
      INSERT INTO audit_log (event, site_id, person_id, client_id, details)
      SELECT event, $2, person_id, client_id, $12 FROM used, unnest(${use.events}) AS event
    )
    SELECT repeated FROM used`;
}

const EXCHANGE = {
  name: 'token_exchange',
  text: redeemStatement({
    lock: 'KEY SHARE',
    consume: `
      UPDATE authorization_codes t SET consumed_at = now() FROM live_grant s
       WHERE t.code_hash = $1 AND t.site_id = $2 AND t.grant_id = s.grant_id AND t.consumed_at IS NULL
      RETURNING s.*, false AS repeated`,
    rotation: '0',
    events: `ARRAY['token.issued']`,
  }),
};
const REFRESH = {
  name: 'token_refresh',
  text: redeemStatement({
    // Refreshes of one family run one after the other, so each sees the tokens that the previous one used.
    lock: 'NO KEY UPDATE',
    // The snapshot of the statement may be older than the wait for the grant: the lock returns the current row.
    before: `token AS MATERIALIZED (
      SELECT t.token_hash, t.site_id, t.grant_id, t.rotation, t.repeats, t.consumed_at
        FROM refresh_tokens t JOIN live_grant s ON s.grant_id = t.grant_id
       WHERE t.token_hash = $1 AND t.site_id = $2 FOR UPDATE OF t
    ), `,
    consume: `
      UPDATE refresh_tokens u
         SET consumed_at = coalesce(t.consumed_at, now()),
             repeats = t.repeats + CASE WHEN t.consumed_at IS NULL THEN 0 ELSE 1 END
        FROM token t JOIN live_grant g ON g.grant_id = t.grant_id
       WHERE u.token_hash = t.token_hash AND u.site_id = t.site_id
         AND ((${UNUSED}) OR (t.repeats < ${MAX_REPEATS} AND ${repeatable('$13')}))
      RETURNING g.*, t.rotation, t.consumed_at IS NOT NULL AS repeated
    ), branch AS (
      UPDATE grants g SET used_rotation = used.rotation FROM used WHERE g.grant_id = used.grant_id AND NOT repeated`,
    rotation: 'rotation + 1',
    events: `CASE WHEN repeated THEN ARRAY['token.refresh_repeated'] ELSE ARRAY[]::text[] END`,
  }),
};

/** A client with the credential that it presents. */
export interface CredentialLookup<Credential> {
  readonly client_key: string;
  readonly client_id: string;
  readonly secret_hash: Buffer | null;
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
    Credential | { readonly [column in keyof Credential]: null }
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

/**
 * Redeems codes and refresh tokens: one statement reads everything for the decision, one executes it. Consuming is
 * compare-and-set: of two concurrent uses one finds the credential unused.
 */
@Injectable()
export class TokenGrantsRepository {
  readonly #repeatSeconds: number;
  readonly #codes = batchLoader<CredentialKey, CredentialLookup<FoundCode>>((keys) => this.#find(BY_CODE, keys));
  readonly #refreshTokens = batchLoader<CredentialKey, CredentialLookup<FoundRefreshToken>>((keys) =>
    this.#find(BY_REFRESH_TOKEN, keys, this.#repeatSeconds),
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
    const used = await this.sql.query(EXCHANGE, parameters(issuance));
    return used.length === 1;
  }

  /** `refused` when the token was used in the meantime and may not be repeated, or its grant is gone. */
  async refresh(issuance: Issuance): Promise<'refreshed' | 'repeated' | 'refused'> {
    const values = [...parameters(issuance), this.#repeatSeconds];
    const [used] = await this.sql.query<{ repeated: boolean }>(REFRESH, values);
    if (used === undefined) return 'refused';
    return used.repeated ? 'repeated' : 'refreshed';
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

function toLookup<Credential extends { readonly grant_id: string }>(
  row: Row<Credential>,
): CredentialLookup<Credential> {
  const { client_key, client_id, secret_hash, compatibility_mode } = row;
  return {
    client_key,
    client_id,
    secret_hash,
    compatibility_mode,
    credential: row.grant_id === null ? undefined : row,
  };
}

function parameters({ site, value, grant_id, tokens }: Issuance): unknown[] {
  return [
    sha256(value),
    site.site_id,
    grant_id,
    tokens.accessHash,
    site.base_url,
    tokens.scope,
    tokens.issuedAt,
    tokens.accessExpiresAt,
    tokens.refreshHash,
    JSON.stringify(tokens.refreshRecord),
    tokens.refreshExpiresAt,
    JSON.stringify({ grant_id, scope: tokens.scope }),
  ];
}
