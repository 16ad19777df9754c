import { Injectable } from '@nestjs/common';
import type { Role } from '@lyceum/contracts';
import { Sql } from '@lyceum/platform';
import type { ClientAudience } from '#src/consent/consent.policy.js';
import { sha256 } from './digest.js';

const INTROSPECT = {
  name: 'introspect',
  text: `
    SELECT g.person_id AS sub, g.client_id, g.grant_id, g.audience, t.site_id, s.org_id, s.base_url AS iss,
           t.resource AS aud, t.scope, extract(epoch FROM t.issued_at)::int AS iat,
           extract(epoch FROM t.expires_at)::int AS exp
      FROM access_tokens t
      JOIN grants g ON g.grant_id = t.grant_id
      JOIN sites s ON s.site_id = t.site_id
     WHERE t.token_hash = $1 AND t.expires_at > now() AND s.state = 'active'`,
};
const INTROSPECT_REFRESH = {
  name: 'introspect_refresh',
  text: `
    SELECT g.person_id AS sub, g.client_id, g.grant_id, g.audience, t.site_id, s.org_id, s.base_url AS iss,
           s.base_url AS aud, t.payload ->> 'scope' AS scope, (t.payload ->> 'iat')::int AS iat,
           extract(epoch FROM t.expires_at)::int AS exp
      FROM refresh_tokens t
      JOIN grants g ON g.grant_id = t.grant_id
      JOIN sites s ON s.site_id = t.site_id
     WHERE t.token_hash = $1 AND t.expires_at > now() AND t.consumed_at IS NULL AND s.state = 'active'`,
};
const USERINFO = {
  name: 'userinfo',
  text: `
    SELECT t.scope, p.person_id, p.email, p.email_verified, p.name, p.picture, s.org_id,
           coalesce(r.roles, '{}') AS roles
      FROM access_tokens t
      JOIN grants g ON g.grant_id = t.grant_id
      JOIN sites s ON s.site_id = t.site_id
      JOIN people p ON p.person_id = g.person_id AND p.state = 'active'
      LEFT JOIN site_roles r ON r.person_id = g.person_id AND r.site_id = t.site_id
     WHERE t.token_hash = $1 AND t.site_id = $2 AND t.expires_at > now()`,
};

/** RFC 7662 §2.2, without the constant members. */
export interface TokenFacts {
  readonly sub: string;
  readonly client_id: string;
  readonly grant_id: string;
  readonly audience: ClientAudience;
  readonly site_id: string;
  readonly org_id: string;
  readonly iss: string;
  readonly aud: string;
  readonly scope: string;
  readonly iat: number;
  readonly exp: number;
}

export interface UserInfoRow {
  readonly scope: string;
  readonly person_id: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
  readonly picture: string | null;
  readonly org_id: string;
  readonly roles: readonly Role[];
}

/** One statement for each question that is asked of a token. */
@Injectable()
export class TokensRepository {
  constructor(private readonly sql: Sql) {}

  /** Revoked tokens are not there any more: whatever ends a grant deletes it. */
  async introspect(token: string): Promise<TokenFacts | undefined> {
    const [row] = await this.sql.query<TokenFacts>(INTROSPECT, [sha256(token)]);
    return row;
  }

  async introspectRefresh(token: string): Promise<TokenFacts | undefined> {
    const [row] = await this.sql.query<TokenFacts>(INTROSPECT_REFRESH, [sha256(token)]);
    return row;
  }

  async userInfo(siteId: string, token: string): Promise<UserInfoRow | undefined> {
    const [row] = await this.sql.query<UserInfoRow>(USERINFO, [sha256(token), siteId]);
    return row;
  }
}
