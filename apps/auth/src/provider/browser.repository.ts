import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { Statement } from '@lyceum/platform';
import type { AdapterPayload } from 'oidc-provider';
import { sha256 } from '#src/tokens/digest.js';

const SESSION_UPSERT = {
  name: 'session_upsert',
  text: `
    INSERT INTO sessions (session_hash, uid, site_id, person_id, payload, expires_at)
    VALUES ($1, $2, $3, $4, $5, to_timestamp($6))
    ON CONFLICT (session_hash) DO UPDATE
       SET person_id = excluded.person_id, payload = excluded.payload, expires_at = excluded.expires_at`,
};
const SESSION_FIND = {
  name: 'session_find',
  text: 'SELECT payload FROM sessions WHERE session_hash = $1 AND site_id = $2 AND expires_at > now()',
};
const SESSION_BY_UID = {
  name: 'session_by_uid',
  text: 'SELECT payload FROM sessions WHERE uid = $1 AND site_id = $2 AND expires_at > now()',
};
const SESSION_DESTROY = {
  name: 'session_destroy',
  text: 'DELETE FROM sessions WHERE session_hash = $1 AND site_id = $2',
};
const SESSION_DESTROY_BY_UID = {
  name: 'session_destroy_by_uid',
  text: 'DELETE FROM sessions WHERE uid = $1 AND site_id = $2',
};
const INTERACTION_UPSERT = {
  name: 'interaction_upsert',
  text: `
    INSERT INTO interactions (interaction_hash, site_id, payload, expires_at) VALUES ($1, $2, $3, to_timestamp($4))
    ON CONFLICT (interaction_hash) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`,
};
const INTERACTION_FIND = {
  name: 'interaction_find',
  text: 'SELECT payload FROM interactions WHERE interaction_hash = $1 AND site_id = $2 AND expires_at > now()',
};
const INTERACTION_DESTROY = {
  name: 'interaction_destroy',
  text: 'DELETE FROM interactions WHERE interaction_hash = $1 AND site_id = $2',
};

/** Browser sessions and the interactions within them. Their ids are cookies, so only digests are stored. */
@Injectable()
export class BrowserRepository {
  constructor(private readonly sql: Sql) {}

  async saveSession(siteId: string, id: string, payload: AdapterPayload, expiresAt: number): Promise<void> {
    const values = [sha256(id), payload.uid, siteId, payload.accountId ?? null, JSON.stringify(payload), expiresAt];
    await this.sql.query(SESSION_UPSERT, values);
  }

  session(siteId: string, id: string): Promise<AdapterPayload | undefined> {
    return this.#payload(SESSION_FIND, [sha256(id), siteId]);
  }

  sessionByUid(siteId: string, uid: string): Promise<AdapterPayload | undefined> {
    return this.#payload(SESSION_BY_UID, [uid, siteId]);
  }

  async endSession(siteId: string, id: string): Promise<void> {
    await this.sql.query(SESSION_DESTROY, [sha256(id), siteId]);
  }

  async endSessionByUid(siteId: string, uid: string): Promise<void> {
    await this.sql.query(SESSION_DESTROY_BY_UID, [uid, siteId]);
  }

  async saveInteraction(siteId: string, id: string, payload: AdapterPayload, expiresAt: number): Promise<void> {
    await this.sql.query(INTERACTION_UPSERT, [sha256(id), siteId, JSON.stringify(payload), expiresAt]);
  }

  interaction(siteId: string, id: string): Promise<AdapterPayload | undefined> {
    return this.#payload(INTERACTION_FIND, [sha256(id), siteId]);
  }

  async endInteraction(siteId: string, id: string): Promise<void> {
    await this.sql.query(INTERACTION_DESTROY, [sha256(id), siteId]);
  }

  async #payload(statement: Statement, values: readonly unknown[]): Promise<AdapterPayload | undefined> {
    const [row] = await this.sql.query<{ payload: AdapterPayload }>(statement, values);
    return row?.payload;
  }
}
