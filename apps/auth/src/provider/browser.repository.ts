import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { Statement } from '@lyceum/platform';
import type { AdapterPayload } from 'oidc-provider';
import { sha256 } from '#src/tokens/digest.js';
import { LIFETIMES } from '#src/tokens/lifetimes.js';
import type { LiveSession } from './live-session.js';

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
/** Each use of a session starts its lifetime anew, so its end tells when that was. $3 the lifetime, $4 comes first. */
const SESSIONS_OF_PERSON = {
  name: 'sessions_of_person',
  text: `
    SELECT uid, to_timestamp((payload ->> 'loginTs')::float8) AS began_at,
           expires_at - make_interval(secs => $3) AS used_at
      FROM sessions WHERE person_id = $1 AND site_id = $2 AND expires_at > now()
     ORDER BY uid = $4 DESC, expires_at DESC LIMIT $5`,
};
const SESSION_END = {
  name: 'session_end',
  text: `
    WITH ended AS (
      DELETE FROM sessions WHERE uid = $3 AND person_id = $1 AND site_id = $2 AND expires_at > now()
      RETURNING site_id, person_id
    )
    INSERT INTO audit_log (event, site_id, person_id) SELECT 'session.ended', site_id, person_id FROM ended`,
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

  /** The session `own` first, then the latest used. */
  sessionsOfPerson(personId: string, siteId: string, own: string, limit: number): Promise<LiveSession[]> {
    return this.sql.query<LiveSession>(SESSIONS_OF_PERSON, [personId, siteId, LIFETIMES.session, own, limit]);
  }

  /** Of that person only, and written down: one statement. */
  async endSessionOfPerson(personId: string, siteId: string, uid: string): Promise<void> {
    await this.sql.query(SESSION_END, [personId, siteId, uid]);
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
