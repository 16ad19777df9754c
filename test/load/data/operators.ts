import type { AppliedSite } from '@lyceum/local';
import { onDatabase } from './database.ts';

export interface Operator {
  readonly site_id: string;
  readonly host: string;
  readonly token: string;
}

export interface OperatorFill {
  /** Their people own the new sites. */
  readonly site: AppliedSite;
  readonly sites: number;
  /** Owners of each new site. */
  readonly owners: number;
  /** Space-separated. */
  readonly scope?: string;
}

const CLIENT_ID = 'bench-operator';
const SCOPE = 'courses:read courses:write';

/**
 * New sites with owners, beside those of other suites; each owner has an access token. The operator API limits each
 * person with a client, and each site, so requests that follow the order of the operators stay below the limits.
 * Neighbors are of different sites.
 */
export async function fillOperators(
  databaseUrl: string,
  { site, sites, owners, scope = SCOPE }: OperatorFill,
): Promise<Operator[]> {
  const people = site.people.slice(0, owners).map(({ person_id }) => person_id);
  if (people.length < owners) throw new Error(`${site.base_url} has ${people.length} people, not ${owners}`);
  return onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<Operator>(
      `WITH former AS (SELECT count(*) AS sites FROM sites WHERE slug LIKE 'bench-school-%'), made AS (
         INSERT INTO sites (base_url, host, name, slug, org_id)
         SELECT 'https://school-' || n || '.bench.example', 'school-' || n || '.bench.example', 'School ' || n,
                'bench-school-' || n, 'org_bench_school_' || n
           FROM former, generate_series(former.sites + 1, former.sites + $1::int) n
         RETURNING site_id, base_url, host
       ), client AS (
         INSERT INTO clients (client_id, site_id, name, audience, source, redirect_uris, scopes)
         SELECT $3, site_id, 'Bench', 'operator', 'site', '{http://127.0.0.1:7777/callback}', string_to_array($4, ' ')
           FROM made
         RETURNING client_key, site_id
       ), owner AS (
         SELECT made.*, client_key, person_id, n, 'bench-operator-' || host || '-' || n AS grant_id
           FROM made JOIN client USING (site_id)
          CROSS JOIN unnest($2::uuid[]) WITH ORDINALITY AS person (person_id, n)
       ), role AS (
         INSERT INTO site_members (site_id, person_id, roles) SELECT site_id, person_id, '{owner}' FROM owner
       ), granted AS (
         INSERT INTO grants (grant_id, site_id, person_id, client_key, client_id, audience, payload, expires_at)
         SELECT grant_id, site_id, person_id, client_key, $3, 'operator',
                jsonb_build_object('resources', jsonb_build_object(base_url, $4::text)), now() + interval '1 day'
           FROM owner
       ), issued AS (
         SELECT *, translate(rtrim(encode(sha256(convert_to(grant_id, 'UTF8')), 'base64'), '='), '+/', '-_') AS token
           FROM owner
       ), stored AS (
         INSERT INTO access_tokens (token_hash, grant_id, site_id, resource, scope, issued_at, expires_at)
         SELECT sha256(convert_to(token, 'UTF8')), grant_id, site_id, base_url, $4, now(), now() + interval '1 day'
           FROM issued
       )
       SELECT site_id, host, token FROM issued ORDER BY n, site_id`,
      [sites, people, CLIENT_ID, scope],
    );
    await client.query('VACUUM (ANALYZE) sites, site_members, clients, grants, access_tokens');
    return rows;
  });
}

/** Inserts the owners of a site as members of a school database, which has not received them by events. */
export async function copyOwners(authUrl: string, schoolUrl: string, siteId: string): Promise<void> {
  const owners = await onDatabase(authUrl, async (client) => {
    const { rows } = await client.query<{ member_id: string; person_id: string }>(
      `SELECT member_id, person_id FROM site_members WHERE site_id = $1 AND 'owner' = ANY(roles)`,
      [siteId],
    );
    return rows;
  });
  if (owners.length === 0) throw new Error(`The site ${siteId} has no owner`);
  await onDatabase(schoolUrl, (client) =>
    client.query(
      `INSERT INTO members (site_id, id, person_id, email, name, state, roles, joined_at, source_epoch, source_version)
       SELECT $1, member_id, person_id, person_id || '@bench.example', 'Owner', 'active', '{owner}', now(), 0, 0
         FROM jsonb_to_recordset($2::jsonb) AS owner (member_id uuid, person_id uuid)`,
      [siteId, JSON.stringify(owners)],
    ),
  );
}
