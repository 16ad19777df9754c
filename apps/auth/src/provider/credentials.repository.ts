import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { AdapterPayload } from 'oidc-provider';
import { sha256 } from '#src/tokens/digest.js';

const CODE_INSERT = {
  name: 'code_insert',
  text: `INSERT INTO authorization_codes (code_hash, grant_id, site_id, payload, expires_at)
         VALUES ($1, $2, $3, $4, to_timestamp($5))`,
};
const CODE_FIND = {
  name: 'code_find',
  text: `SELECT payload, consumed_at IS NOT NULL AS consumed FROM authorization_codes
          WHERE code_hash = $1 AND site_id = $2`,
};
const CODE_CONSUME = {
  name: 'code_consume',
  text: `UPDATE authorization_codes SET consumed_at = now()
          WHERE code_hash = $1 AND site_id = $2 AND consumed_at IS NULL RETURNING 1 AS won`,
};
const CODE_GRANT = {
  name: 'code_grant',
  text: 'SELECT grant_id FROM authorization_codes WHERE code_hash = $1 AND site_id = $2',
};

const ACCESS_INSERT = {
  name: 'access_token_insert',
  text: `INSERT INTO access_tokens (token_hash, grant_id, site_id, resource, scope, issued_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, to_timestamp($6), to_timestamp($7))`,
};
const ACCESS_FIND = {
  name: 'access_token_find',
  text: `
    SELECT t.grant_id, t.resource, t.scope, g.client_id, g.person_id,
           extract(epoch FROM t.issued_at)::int AS iat, extract(epoch FROM t.expires_at)::int AS exp
      FROM access_tokens t JOIN grants g USING (grant_id)
     WHERE t.token_hash = $1 AND t.site_id = $2`,
};

const REFRESH_INSERT = {
  name: 'refresh_token_insert',
  text: `INSERT INTO refresh_tokens (token_hash, grant_id, site_id, rotation, payload, expires_at)
         VALUES ($1, $2, $3, $4, $5, to_timestamp($6))`,
};
/**
 * A used token may be repeated while the window is open and none of the tokens that came after it was used: then its
 * answer was lost on the way, or two tabs asked at once. Anything else is a theft (RFC 9700 §4.14.2).
 */
const REPEATABLE = `
  $3 > 0 AND t.consumed_at > now() - make_interval(secs => $3) AND NOT EXISTS (
    SELECT 1 FROM refresh_tokens later
     WHERE later.grant_id = t.grant_id AND later.rotation > t.rotation AND later.consumed_at IS NOT NULL)`;
const REFRESH_FIND = {
  name: 'refresh_token_find',
  text: `SELECT t.payload, t.consumed_at IS NOT NULL AND NOT (${REPEATABLE}) AS consumed
           FROM refresh_tokens t WHERE t.token_hash = $1 AND t.site_id = $2`,
};
const REFRESH_CONSUME = {
  name: 'refresh_token_consume',
  text: `UPDATE refresh_tokens t SET consumed_at = coalesce(t.consumed_at, now())
          WHERE t.token_hash = $1 AND t.site_id = $2 AND (t.consumed_at IS NULL OR (${REPEATABLE}))
         RETURNING old.consumed_at IS NOT NULL AS repeated`,
};

interface Stored {
  readonly payload: AdapterPayload;
  readonly consumed: boolean;
}

export interface StoredAccessToken {
  readonly grant_id: string;
  readonly client_id: string;
  readonly person_id: string;
  readonly resource: string;
  readonly scope: string;
  readonly iat: number;
  readonly exp: number;
}

/** Codes and tokens by their SHA-256. Consuming is compare-and-set: of two at once, one wins. */
@Injectable()
export class CredentialsRepository {
  constructor(private readonly sql: Sql) {}

  async insertCode(siteId: string, code: string, payload: AdapterPayload): Promise<void> {
    await this.sql.query(CODE_INSERT, [sha256(code), payload.grantId, siteId, JSON.stringify(payload), payload.exp]);
  }

  async code(siteId: string, code: string): Promise<Stored | undefined> {
    const [row] = await this.sql.query<Stored>(CODE_FIND, [sha256(code), siteId]);
    return row;
  }

  /** False when it was used before. */
  async consumeCode(siteId: string, code: string): Promise<boolean> {
    const won = await this.sql.query(CODE_CONSUME, [sha256(code), siteId]);
    return won.length === 1;
  }

  async grantOfCode(siteId: string, code: string): Promise<string | undefined> {
    const [row] = await this.sql.query<{ grant_id: string }>(CODE_GRANT, [sha256(code), siteId]);
    return row?.grant_id;
  }

  async insertAccessToken(siteId: string, token: string, payload: AdapterPayload): Promise<void> {
    const { grantId, aud, scope, iat, exp } = payload;
    await this.sql.query(ACCESS_INSERT, [sha256(token), grantId, siteId, aud, scope ?? '', iat, exp]);
  }

  async accessToken(siteId: string, token: string): Promise<StoredAccessToken | undefined> {
    const [row] = await this.sql.query<StoredAccessToken>(ACCESS_FIND, [sha256(token), siteId]);
    return row;
  }

  async insertRefreshToken(siteId: string, token: string, payload: AdapterPayload): Promise<void> {
    const { grantId, rotations, exp } = payload;
    const values = [sha256(token), grantId, siteId, rotations ?? 0, JSON.stringify(payload), exp];
    await this.sql.query(REFRESH_INSERT, values);
  }

  async refreshToken(siteId: string, token: string, repeatSeconds: number): Promise<Stored | undefined> {
    const [row] = await this.sql.query<Stored>(REFRESH_FIND, [sha256(token), siteId, repeatSeconds]);
    return row;
  }

  async consumeRefreshToken(
    siteId: string,
    token: string,
    repeatSeconds: number,
  ): Promise<'consumed' | 'repeated' | 'refused'> {
    const values = [sha256(token), siteId, repeatSeconds];
    const [row] = await this.sql.query<{ repeated: boolean }>(REFRESH_CONSUME, values);
    if (row === undefined) return 'refused';
    return row.repeated ? 'repeated' : 'consumed';
  }
}
