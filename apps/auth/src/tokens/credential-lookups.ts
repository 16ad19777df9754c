import type { Statement } from '@lyceum/platform';
import { PREVIOUS_SECRET, clientAtSite } from '#src/clients/client-at-site.js';
import { arrays } from '#src/database/arrays.js';
import { isPresent } from '#src/database/present-member.js';
import { isLive } from '#src/grants/live-grant.js';
import { MAX_REPEATS } from '#src/protocol/lifetimes.js';
import { REPEATS, UNUSED, USED_AT, repeatable } from './refresh-branch.js';

/** $1 client ids, $2 sites, $3 digests of credentials, $4 base_urls; n is the index of the key. */
const LOOKUP = `unnest(${arrays('text', 'uuid', 'bytea', 'text')}) WITH ORDINALITY
      AS lookup (client_id, site_id, digest, base_url, n)`;
const CLIENT = clientAtSite(`client_key, client_id, secret_hash, ${PREVIOUS_SECRET}, compatibility_mode`, {
  clientId: 'lookup.client_id',
  siteId: 'lookup.site_id',
});

/** The state of credential t of client c. A credential of another client or site does not match. */
const CREDENTIAL_STATE = `
  t.grant_id, g.person_id, g.audience, t.expires_at <= now() OR g.expires_at <= now() AS expired,
  t.payload ->> 'scope' AS scope, g.payload #>> ARRAY['resources', lookup.base_url] AS granted,
  p.person_id IS NOT NULL AS has_person, coalesce(m.roles, '{}') AS roles`;
const JOINED = `
  JOIN grants g ON g.grant_id = t.grant_id AND g.client_key = c.client_key AND ${isLive('g')}
  LEFT JOIN people p ON p.person_id = g.person_id AND p.state = 'active'
  LEFT JOIN site_members m ON m.person_id = g.person_id AND m.site_id = t.site_id AND ${isPresent('m')}`;

/** One row for each key whose client exists. */
export const BY_CODE: Statement = {
  name: 'token_by_code',
  text: `
    SELECT lookup.n::int, c.client_key, c.client_id, c.secret_hash, c.previous_secret_hash, c.compatibility_mode, found.*
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

/** $5: the seconds in which a used token may be repeated. */
export const BY_REFRESH_TOKEN: Statement = {
  name: 'token_by_refresh_token',
  text: `
    SELECT lookup.n::int, c.client_key, c.client_id, c.secret_hash, c.previous_secret_hash, c.compatibility_mode, found.*
      FROM ${LOOKUP} CROSS JOIN LATERAL (${CLIENT}) c LEFT JOIN LATERAL (
        SELECT ${CREDENTIAL_STATE}, NOT (${UNUSED}) AND coalesce(NOT (${repeatable('$5')}), true) AS used,
               ${USED_AT} IS NOT NULL AND ${REPEATS} >= ${MAX_REPEATS} AS exhausted,
               (t.payload ->> 'iiat')::int AS family_began_at
          FROM refresh_tokens t ${JOINED}
         WHERE t.token_hash = lookup.digest AND t.site_id = lookup.site_id) found ON true`,
};
