import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { AdapterPayload } from 'oidc-provider';
import { sha256 } from '#src/secrets/digest.js';

const INSERT = {
  name: 'code_insert',
  text: `INSERT INTO authorization_codes (code_hash, grant_id, site_id, payload, expires_at)
         VALUES ($1, $2, $3, $4, to_timestamp($5))`,
};
const FOREIGN_KEY_VIOLATION = '23503';

/** Codes by SHA-256. tokens/token-grants.repository.ts redeems them. */
@Injectable()
export class CodesRepository {
  constructor(private readonly sql: Sql) {}

  /** False when the grant was revoked in the meantime. */
  async insert(siteId: string, code: string, payload: AdapterPayload): Promise<boolean> {
    try {
      await this.sql.query(INSERT, [sha256(code), payload.grantId, siteId, JSON.stringify(payload), payload.exp]);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === FOREIGN_KEY_VIOLATION) return false;
      throw error;
    }
  }
}
