import { createHash } from 'node:crypto';
import { onDatabase } from './database.ts';
import type { TokenFill } from './tokens.ts';

/** Single-use credentials, by the engine's name. */
export type OneTime = 'RefreshToken' | 'AuthorizationCode';

/** Without `openid`: the two servers sign id_tokens at different steps. */
const SCOPE = 'profile email account:read';
export const VERIFIER = 'a-verifier-of-the-bench-that-everybody-shares';

/** Value n of its kind, equal to `VALUE_SQL` in PostgreSQL. */
export function oneTime(kind: OneTime, n: number): string {
  return createHash('sha256').update(`bench ${kind} ${n}`).digest('base64url');
}
const VALUE_SQL = `translate(rtrim(encode(sha256(convert_to('bench ' || $1 || ' ' || n, 'UTF8')), 'base64'), '='), '+/', '-_')`;
const GRANT_SQL = `'bench-' || $1 || '-' || n`;

export interface FamilyFill extends TokenFill {
  readonly kind: OneTime;
  readonly redirectUri: string;
}

/** Payload of number n, with the parameters $1 kind, $2 people, $3 more of it. */
const PAYLOAD_SQL = `jsonb_build_object('kind', $1::text, 'grantId', ${GRANT_SQL},
  'accountId', ($2::text[])[1 + n % cardinality($2::text[])]) || $3::jsonb`;

function payload({ kind, redirectUri, clientId, issuedAt, expiresAt }: FamilyFill): object {
  const common = { iat: issuedAt, exp: expiresAt, clientId, scope: SCOPE, authTime: issuedAt };
  if (kind === 'RefreshToken') return { ...common, gty: 'authorization_code', rotations: 0, iiat: issuedAt };
  const codeChallenge = createHash('sha256').update(VERIFIER).digest('base64url');
  return { ...common, redirectUri, codeChallenge, codeChallengeMethod: 'S256' };
}

/** Inserts credentials, each with a separate grant, as every authorization has. Existing ones stay. */
export async function fillAuthFamilies(databaseUrl: string, fill: FamilyFill): Promise<void> {
  const { kind, site, clientId, tokens, issuedAt, expiresAt } = fill;
  const people = site.people.map(({ person_id }) => person_id);
  const grant = {
    iat: issuedAt,
    exp: expiresAt,
    clientId,
    openid: { scope: SCOPE },
    resources: { [site.base_url]: SCOPE },
  };
  const [table, hash, more, zero] =
    kind === 'RefreshToken'
      ? ['refresh_tokens', 'token_hash', ', rotation', ', 0']
      : ['authorization_codes', 'code_hash', '', ''];
  await onDatabase(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO grants (grant_id, site_id, person_id, client_key, client_id, audience, payload, created_at, expires_at)
       SELECT ${GRANT_SQL}, $4, ($2::uuid[])[1 + n % cardinality($2::uuid[])], c.client_key, c.client_id, c.audience,
              $3::jsonb || jsonb_build_object('kind', 'Grant', 'accountId', ($2::uuid[])[1 + n % cardinality($2::uuid[])]),
              to_timestamp($6), to_timestamp($7)
         FROM clients c, generate_series(1, $8::int) n
        WHERE c.site_id = $4 AND c.client_id = $5
       ON CONFLICT DO NOTHING`,
      [kind, people, grant, site.site_id, clientId, issuedAt, expiresAt, tokens],
    );
    await client.query(
      `INSERT INTO ${table} (${hash}, grant_id, site_id, payload, expires_at${more})
       SELECT sha256(convert_to(${VALUE_SQL}, 'UTF8')), ${GRANT_SQL}, $4, ${PAYLOAD_SQL}, to_timestamp($5)${zero}
         FROM generate_series(1, $6::int) n
       ON CONFLICT DO NOTHING`,
      [kind, people, { ...payload(fill), resource: site.base_url }, site.site_id, expiresAt, tokens],
    );
    await client.query(`VACUUM (ANALYZE) grants, ${table}`);
  });
}

/** Deletes all grants with their tokens and codes, because used ones cannot be loaded again. */
export async function forgetGrants(databaseUrl: string): Promise<void> {
  await onDatabase(databaseUrl, (client) => client.query('TRUNCATE grants CASCADE'));
}

/** The same rows in the form of oidc-provider. */
export async function fillStockFamilies(databaseUrl: string, fill: FamilyFill): Promise<void> {
  const { kind, site, clientId, tokens, issuedAt, expiresAt } = fill;
  const people = site.people.map(({ person_id }) => person_id);
  const grant = { iat: issuedAt, exp: expiresAt, clientId, openid: { scope: SCOPE } };
  const insert = `INSERT INTO oidc_payloads (id, type, payload, grant_id, expires_at)`;
  await onDatabase(databaseUrl, async (client) => {
    await client.query(
      `${insert}
       SELECT ${GRANT_SQL}, 'Grant',
              ${PAYLOAD_SQL} - 'grantId' || jsonb_build_object('kind', 'Grant', 'jti', ${GRANT_SQL}), NULL, to_timestamp($4)
         FROM generate_series(1, $5::int) n`,
      [kind, people, grant, expiresAt, tokens],
    );
    await client.query(
      `${insert}
       SELECT ${VALUE_SQL}, $1, ${PAYLOAD_SQL} || jsonb_build_object('jti', ${VALUE_SQL}), ${GRANT_SQL}, to_timestamp($4)
         FROM generate_series(1, $5::int) n`,
      [kind, people, payload(fill), expiresAt, tokens],
    );
    await client.query('VACUUM (ANALYZE) oidc_payloads');
  });
}
