import { createHash } from 'node:crypto';
import type { AppliedSite } from '@lyceum/local';
import { onDatabase } from './database.ts';

/**
 * Token n, of the same form as real ones. PostgreSQL makes the same tokens by `TOKEN_SQL`, so rows need no transfer.
 */
export function token(n: number): string {
  return createHash('sha256').update(`bench token ${n}`).digest('base64url');
}
const TOKEN_SQL = `translate(rtrim(encode(sha256(convert_to('bench token ' || n, 'UTF8')), 'base64'), '='), '+/', '-_')`;
const GRANT_SQL = `'bench-grant-' || n`;

export interface TokenFill {
  readonly site: AppliedSite;
  readonly clientId: string;
  readonly tokens: number;
  /** Seconds since 1970, whole. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

const SCOPE = 'openid profile email account:read';

/** Inserts grants and access tokens into the tables of auth, spread over the people of the site. Existing ones stay. */
export async function fillAuth(databaseUrl: string, fill: TokenFill): Promise<void> {
  const { site, clientId, tokens, issuedAt, expiresAt } = fill;
  const people = site.people.map(({ person_id }) => person_id);
  await onDatabase(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO grants (grant_id, site_id, person_id, client_key, client_id, audience, payload, created_at, expires_at)
       SELECT ${GRANT_SQL}, $1, ($3::uuid[])[1 + n % cardinality($3)], c.client_key, c.client_id, c.audience,
              jsonb_build_object('clientId', c.client_id, 'resources', jsonb_build_object($4::text, $5::text)),
              to_timestamp($6), to_timestamp($7)
         FROM clients c, generate_series(1, $8::int) n
        WHERE c.site_id = $1 AND c.client_id = $2
       ON CONFLICT DO NOTHING`,
      [site.site_id, clientId, people, site.base_url, SCOPE, issuedAt, expiresAt, tokens],
    );
    await client.query(
      `INSERT INTO access_tokens (token_hash, grant_id, site_id, resource, scope, issued_at, expires_at)
       SELECT sha256(convert_to(${TOKEN_SQL}, 'UTF8')), ${GRANT_SQL}, $1, $2, $3, to_timestamp($4), to_timestamp($5)
         FROM generate_series(1, $6::int) n
       ON CONFLICT DO NOTHING`,
      [site.site_id, site.base_url, SCOPE, issuedAt, expiresAt, tokens],
    );
    await client.query('VACUUM (ANALYZE) grants, access_tokens');
  });
}

/** The same tokens in the form of oidc-provider, with their clients. */
export async function fillStock(databaseUrl: string, fill: TokenFill, introspector: StockClient): Promise<void> {
  const { site, clientId, tokens, issuedAt, expiresAt } = fill;
  const people = site.people.map(({ person_id }) => person_id);
  const times = `'iat', $1::int, 'exp', $2::int`;
  const whose = `'accountId', ($3::text[])[1 + n % cardinality($3)], 'clientId', $4::text`;
  const insert = `INSERT INTO oidc_payloads (id, type, payload, grant_id, expires_at)`;
  await onDatabase(databaseUrl, async (client) => {
    await client.query(
      `${insert}
       SELECT ${GRANT_SQL}, 'Grant',
              jsonb_build_object(${times}, ${whose}, 'jti', ${GRANT_SQL}, 'kind', 'Grant',
                                 'openid', jsonb_build_object('scope', $5::text)),
              NULL, to_timestamp($2)
         FROM generate_series(1, $6::int) n`,
      [issuedAt, expiresAt, people, clientId, SCOPE, tokens],
    );
    await client.query(
      `${insert}
       SELECT ${TOKEN_SQL}, 'AccessToken',
              jsonb_build_object(${times}, ${whose}, 'jti', ${TOKEN_SQL}, 'kind', 'AccessToken', 'grantId', ${GRANT_SQL},
                                 'gty', 'authorization_code', 'scope', $5::text, 'extra', '{}'::jsonb),
              ${GRANT_SQL}, to_timestamp($2)
         FROM generate_series(1, $6::int) n`,
      [issuedAt, expiresAt, people, clientId, SCOPE, tokens],
    );
    for (const payload of [introspector, publicClient(clientId)])
      await client.query(`INSERT INTO oidc_payloads (id, type, payload) VALUES ($1, 'Client', $2)`, [
        payload.client_id,
        payload,
      ]);
    await client.query('VACUUM (ANALYZE) oidc_payloads');
  });
}

export interface StockClient {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly redirect_uris: readonly string[];
  readonly response_types: readonly string[];
  readonly grant_types: readonly string[];
  readonly token_endpoint_auth_method: 'client_secret_post' | 'none';
}

export function resourceServer(client_id: string, client_secret: string): StockClient {
  const nothing = { redirect_uris: [], response_types: [], grant_types: [] };
  return { client_id, client_secret, ...nothing, token_endpoint_auth_method: 'client_secret_post' };
}

function publicClient(client_id: string): StockClient {
  return {
    client_id,
    redirect_uris: ['http://127.0.0.1:7777/callback'],
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  };
}
