import type { Statement } from '@lyceum/platform';
import { arrays } from '#src/database/arrays.js';
import { MAX_REPEATS } from '#src/protocol/lifetimes.js';
import { REPEATS, UNUSED, USED_AT, repeatable } from './refresh-branch.js';

/** Arrays with an element for each issuance. */
const ISSUANCES = `unnest(${arrays('bytea', 'uuid', 'text', 'bytea', 'text', 'text', 'float8', 'float8', 'bytea', 'jsonb', 'float8')})
  WITH ORDINALITY AS issuance (digest, site_id, grant_id, access_hash, resource, scope, issued_at, access_expires_at,
                               refresh_hash, payload, refresh_expires_at, n)`;

interface Use {
  /** Names of prepared statements begin with it. */
  readonly name: string;
  /** The table t of the credentials, and its key. */
  readonly credentials: readonly [table: string, key: string];
  /** SQL condition on credential t and grant g. */
  readonly usable: string;
  /** SQL expressions of t and g: the rotation of the new refresh token, and `repeated` with what else is used. */
  readonly rotation: string;
  readonly columns: string;
  /** The update that uses up the rows of `credential`. */
  readonly consume: string;
  /** The event to audit, null for none. */
  readonly event: string;
}

/** Uses up credentials and issues tokens for them, with one row of result for each that was redeemed. */
export interface Redemption {
  /** Leaves out the grants that another transaction has locked, so it never waits and cannot deadlock. */
  readonly together: Statement;
  /** For one issuance: waits for the grant, so a missing row is final. */
  readonly alone: Statement;
}

/**
 * Redeems credentials of distinct grants atomically. It locks the grant, as a revocation does: after a revocation
 * nothing is used and nothing is issued, and the redemptions of a grant run one after the other. The conditions hold
 * for the grant as it is locked, even if it has changed since the statement began.
 */
function redemption(use: Use): Redemption {
  const [table, key] = use.credentials;
  const text = (skip: string): string => `
    WITH credential AS MATERIALIZED (
      SELECT issuance.*, g.person_id, g.client_id, ${use.rotation} AS rotation, ${use.columns}
        FROM ${ISSUANCES}
        JOIN grants g ON g.grant_id = issuance.grant_id AND g.site_id = issuance.site_id
        JOIN ${table} t ON t.${key} = issuance.digest AND t.site_id = issuance.site_id AND t.grant_id = g.grant_id
       WHERE ${use.usable}
         FOR NO KEY UPDATE OF g ${skip}
    ), used AS (${use.consume}
      RETURNING credential.*
    ), access_token AS (
      INSERT INTO access_tokens (token_hash, grant_id, site_id, resource, scope, issued_at, expires_at)
      SELECT access_hash, grant_id, site_id, resource, scope, to_timestamp(issued_at), to_timestamp(access_expires_at)
        FROM used
    ), refresh_token AS (
      INSERT INTO refresh_tokens (token_hash, grant_id, site_id, rotation, payload, expires_at)
      SELECT refresh_hash, grant_id, site_id, rotation, payload, to_timestamp(refresh_expires_at)
        FROM used WHERE refresh_hash IS NOT NULL
    ), audited AS (
      INSERT INTO audit_log (event, site_id, person_id, client_id, details)
      SELECT ${use.event}, site_id, person_id, client_id, jsonb_build_object('grant_id', grant_id, 'scope', scope)
        FROM used WHERE ${use.event} IS NOT NULL
    )
    SELECT n::int, repeated FROM used`;
  return {
    together: { name: `${use.name}_together`, text: text('SKIP LOCKED') },
    alone: { name: `${use.name}_alone`, text: text('') },
  };
}

export const EXCHANGE = redemption({
  name: 'token_exchange',
  credentials: ['authorization_codes', 'code_hash'],
  usable: 't.consumed_at IS NULL',
  rotation: '0',
  columns: 'false AS repeated',
  // The lock of the grant does not read the code again, so the update does.
  consume: `
      UPDATE authorization_codes t SET consumed_at = now() FROM credential
       WHERE t.code_hash = digest AND t.consumed_at IS NULL`,
  event: `'token.issued'`,
});

/** $12: the seconds in which a used token may be repeated. Tokens do not change: their grant has the latest use. */
export const REFRESH = redemption({
  name: 'token_refresh',
  credentials: ['refresh_tokens', 'token_hash'],
  usable: `((${UNUSED}) OR (${REPEATS} < ${MAX_REPEATS} AND ${repeatable('$12')}))`,
  rotation: 't.rotation + 1',
  columns: `${USED_AT} IS NOT NULL AS repeated, ${USED_AT} AS used_at, ${REPEATS} AS repeats`,
  consume: `
      UPDATE grants g
         SET used_token = digest, used_rotation = rotation - 1, used_at = coalesce(credential.used_at, now()),
             used_repeats = CASE WHEN repeated THEN repeats + 1 ELSE 0 END
        FROM credential WHERE g.grant_id = credential.grant_id`,
  event: `CASE WHEN repeated THEN 'token.refresh_repeated' END`,
});
