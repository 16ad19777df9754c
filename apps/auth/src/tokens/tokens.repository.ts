import { Injectable } from '@nestjs/common';
import type { Role } from '@lyceum/contracts';
import { Sql } from '@lyceum/platform';
import { PREVIOUS_SECRET, clientAtSite } from '#src/clients/client-at-site.js';
import { scopeUnderRoles } from '#src/scopes/grantable.policy.js';
import type { ClientAudience } from '#src/scopes/grantable.policy.js';
import { arrays } from '#src/database/arrays.js';
import { isPresent } from '#src/database/present-member.js';
import { isLive } from '#src/grants/live-grant.js';
import type { PersonAtSite } from '#src/people/claims.policy.js';
import { sha256 } from '#src/secrets/digest.js';
import { batchLoader } from './batch-loader.js';

/** The grant of token t. */
const GRANT = `JOIN grants g ON g.grant_id = t.grant_id AND ${isLive('g')}`;
/** The membership of the person of grant g at the site of token t. */
const MEMBER = `JOIN site_members m ON m.site_id = t.site_id AND m.person_id = g.person_id AND ${isPresent('m')}`;

/** $1 digests; n is the index of the digest. */
export const INTROSPECT = {
  name: 'introspect',
  text: `
    SELECT lookup.n::int, m.roles, m.member_id AS sub, g.person_id, g.client_id, g.grant_id, g.audience, t.site_id, s.org_id, s.base_url AS iss,
           t.resource AS aud, t.scope, extract(epoch FROM t.issued_at)::int AS iat,
           extract(epoch FROM t.expires_at)::int AS exp, g.tools_used_at IS NOT NULL AS used_tools
      FROM unnest(${arrays('bytea')}) WITH ORDINALITY AS lookup (token_hash, n)
      JOIN access_tokens t ON t.token_hash = lookup.token_hash
      ${GRANT}
      JOIN sites s ON s.site_id = t.site_id
      ${MEMBER}
     WHERE t.expires_at > now() AND s.state = 'active'`,
};
const INTROSPECT_REFRESH = {
  name: 'introspect_refresh',
  text: `
    SELECT m.roles, m.member_id AS sub, g.person_id, g.client_id, g.grant_id, g.audience, t.site_id, s.org_id,
           s.base_url AS iss, s.base_url AS aud, t.payload ->> 'scope' AS scope, (t.payload ->> 'iat')::int AS iat,
           extract(epoch FROM t.expires_at)::int AS exp
      FROM refresh_tokens t
      ${GRANT}
      JOIN sites s ON s.site_id = t.site_id
      ${MEMBER}
     WHERE t.token_hash = $1 AND t.expires_at > now() AND t.consumed_at IS NULL AND t.rotation > g.used_rotation
       AND s.state = 'active'`,
};
const NOTE_TOOL_USE = {
  name: 'note_tool_use',
  text: 'UPDATE grants SET tools_used_at = now() WHERE grant_id = $1 AND tools_used_at IS NULL',
};
const USERINFO = {
  name: 'userinfo',
  text: `
    SELECT t.grant_id, t.scope, p.person_id, m.member_id, p.email, p.email_verified,
           coalesce(m.name, p.name) AS name, m.picture, s.org_id,
           m.roles
      FROM access_tokens t
      ${GRANT}
      JOIN sites s ON s.site_id = t.site_id
      JOIN people p ON p.person_id = g.person_id AND p.state = 'active'
      ${MEMBER}
     WHERE t.token_hash = $1 AND t.site_id = $2 AND t.expires_at > now()`,
};

/** A replaced refresh token still ends its family; an expired one ends nothing. */
const TO_REVOKE = {
  name: 'token_to_revoke',
  text: `
    SELECT c.secret_hash, c.previous_secret_hash, found.grant_id
      FROM (${clientAtSite(`client_key, secret_hash, ${PREVIOUS_SECRET}`)}) c
      LEFT JOIN LATERAL (
        SELECT g.grant_id
          FROM (SELECT grant_id FROM access_tokens
                 WHERE token_hash = $3 AND site_id = $2 AND expires_at > now()
                UNION ALL
                SELECT grant_id FROM refresh_tokens
                 WHERE token_hash = $3 AND site_id = $2 AND expires_at > now()) t
          JOIN grants g ON g.grant_id = t.grant_id AND g.client_key = c.client_key) found ON true`,
};

/** RFC 7662 §2.2, without the constant members. */
export interface TokenFacts {
  readonly sub: string;
  readonly person_id: string;
  readonly client_id: string;
  readonly grant_id: string;
  readonly audience: ClientAudience;
  readonly roles: readonly Role[];
  readonly site_id: string;
  readonly org_id: string;
  readonly iss: string;
  readonly aud: string;
  readonly scope: string;
  readonly iat: number;
  readonly exp: number;
  /** True if a call of a tool had a token of the grant. Only for access tokens. */
  readonly used_tools?: boolean;
}

export interface TokenToRevoke {
  readonly secret_hash: Buffer | null;
  readonly previous_secret_hash: Buffer | null;
  readonly grant_id: string | null;
}

export interface UserInfoRow extends PersonAtSite {
  readonly grant_id: string;
  readonly scope: string;
}

/** One statement per query of a token. */
@Injectable()
export class TokensRepository {
  readonly #accessTokens = batchLoader<string, TokenFacts>((tokens) => this.#introspect(tokens));

  constructor(private readonly sql: Sql) {}

  async noteToolUse(grantId: string): Promise<void> {
    await this.sql.query(NOTE_TOOL_USE, [grantId]);
  }

  /** Revoked tokens do not exist, because the deletion of a grant deletes them, or their grant has ended. */
  async introspect(token: string): Promise<TokenFacts | undefined> {
    return underRoles(await this.#accessTokens.load(token));
  }

  async introspectRefresh(token: string): Promise<TokenFacts | undefined> {
    const [row] = await this.sql.query<TokenFacts>(INTROSPECT_REFRESH, [sha256(token)]);
    return underRoles(row);
  }

  /** Undefined for an unknown client; the grant is null when the token is not the client's. */
  async toRevoke(siteId: string, clientId: string, token: string): Promise<TokenToRevoke | undefined> {
    const [row] = await this.sql.query<TokenToRevoke>(TO_REVOKE, [clientId, siteId, sha256(token)]);
    return row;
  }

  async userInfo(siteId: string, token: string): Promise<UserInfoRow | undefined> {
    const [row] = await this.sql.query<UserInfoRow>(USERINFO, [sha256(token), siteId]);
    return row;
  }

  async #introspect(tokens: readonly string[]): Promise<readonly (TokenFacts | undefined)[]> {
    const found = await this.sql.query<TokenFacts & { n: number }>(INTROSPECT, [tokens.map(sha256)]);
    const byNumber = new Map(found.map((facts) => [facts.n, facts]));
    return tokens.map((_, index) => byNumber.get(index + 1));
  }
}

/** A token gives no more access than the person could grant now. */
function underRoles(facts: TokenFacts | undefined): TokenFacts | undefined {
  const scope = facts && scopeUnderRoles(facts.audience, facts.roles, facts.scope);
  return facts && scope !== undefined ? { ...facts, scope } : undefined;
}
