import { createHash } from 'node:crypto';
import type { AppliedSite } from '@lyceum/local';
import { onDatabase } from './database.ts';

/** The host of site n, and the refresh token of its member. */
export const hostOf = (n: number): string => `site-${n}.bench.example`;
export const refreshTokenOf = (n: number): string => createHash('sha256').update(`bench site ${n}`).digest('base64url');
const REFRESH_TOKEN_HASH_SQL = `sha256(convert_to(translate(
  rtrim(encode(sha256(convert_to('bench site ' || n, 'UTF8')), 'base64'), '='), '+/', '-_'), 'UTF8'))`;

export const CLIENT_ID = 'bench-client';
export const CALLBACK = 'http://127.0.0.1:7777/callback';
const SCOPE = 'profile account:read';

/** Sites 1 to `sites`, each with a member, a client and a refresh token; the member is one person of the given site. */
export async function fillSites(databaseUrl: string, { people }: AppliedSite, sites: number): Promise<void> {
  const person = people[0]!.person_id;
  const issuedAt = Math.floor(Date.now() / 1_000);
  await onDatabase(databaseUrl, async (client) => {
    await client.query(
      `WITH made AS (
         INSERT INTO sites (base_url, host, name, slug, org_id)
         SELECT 'https://site-' || n || '.bench.example', 'site-' || n || '.bench.example', 'Site ' || n,
                'bench-' || n, 'org_bench_' || n FROM generate_series(1, $1::int) n
         RETURNING site_id, base_url, org_id
       ), member AS (
         INSERT INTO site_members (site_id, person_id, roles) SELECT site_id, $2, '{student}' FROM made
       ), client AS (
         INSERT INTO clients (client_id, site_id, name, audience, source, redirect_uris, scopes)
         SELECT $3, site_id, 'Bench', 'member', 'site', ARRAY[$4], string_to_array($5, ' ') FROM made
         RETURNING client_key, site_id
       ), granted AS (
         INSERT INTO grants (grant_id, site_id, person_id, client_key, client_id, audience, payload, expires_at)
         SELECT 'grant-' || org_id, site_id, $2, client_key, $3, 'member',
                jsonb_build_object('resources', jsonb_build_object(base_url, $5)), now() + interval '1 day'
           FROM made JOIN client USING (site_id)
         RETURNING grant_id, site_id
       )
       INSERT INTO refresh_tokens (token_hash, grant_id, site_id, rotation, payload, expires_at)
       SELECT ${REFRESH_TOKEN_HASH_SQL}, 'grant-org_bench_' || n, site_id, 0,
              jsonb_build_object('scope', $5, 'iat', $6::int, 'iiat', $6::int), now() + interval '1 day'
         FROM generate_series(1, $1::int) n JOIN granted ON grant_id = 'grant-org_bench_' || n`,
      [sites, person, CLIENT_ID, CALLBACK, SCOPE, issuedAt],
    );
    await client.query('VACUUM (ANALYZE) sites, site_members, clients, grants, refresh_tokens');
  });
}
