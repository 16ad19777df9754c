import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { rows } from '#src/database/rows.js';
import type { NewPasskey, Passkey, PasskeyAnywhere, StoredPasskey } from './passkey.js';

const OF_PERSON = {
  name: 'passkeys_of_person',
  text: `
    SELECT passkey_id, name, credential_id, transports, backed_up, created_at, last_used_at
      FROM passkeys WHERE person_id = $1 AND site_id = $2 ORDER BY passkey_id`,
};
const OF_PERSON_ANYWHERE = {
  name: 'passkeys_of_person_anywhere',
  text: `
    SELECT k.passkey_id, k.name, k.site_id, s.name AS site_name, k.created_at, k.last_used_at
      FROM passkeys k JOIN sites s USING (site_id) WHERE k.person_id = $1 ORDER BY k.passkey_id`,
};
const FIND = {
  name: 'passkey_find',
  text: `
    SELECT k.passkey_id, k.person_id, p.sign_outs, k.public_key, k.sign_count, k.backup_eligible
      FROM passkeys k JOIN people p USING (person_id)
     WHERE k.site_id = $1 AND k.credential_id = $2 AND p.state = 'active'`,
};
const USE = {
  name: 'passkey_use',
  // Compare-and-set: of two uses with the same counter one is refused.
  text: `
    UPDATE passkeys SET sign_count = $3, backed_up = $4, last_used_at = now()
     WHERE passkey_id = $1 AND site_id = $2 AND (sign_count < $3 OR (sign_count = 0 AND $3 = 0)) RETURNING 1 AS used`,
};
const RENAME = {
  name: 'passkey_rename',
  text: 'UPDATE passkeys SET name = $4 WHERE passkey_id::text = $3 AND person_id = $1 AND site_id = $2',
};

/** The person and session that add a passkey. */
export interface Owner {
  readonly person_id: string;
  readonly site_id: string;
  readonly session: string;
}

@Injectable()
export class PasskeysRepository {
  constructor(private readonly sql: Sql) {}

  ofPerson(personId: string, siteId: string): Promise<Passkey[]> {
    return this.sql.query<Passkey>(OF_PERSON, [personId, siteId]);
  }

  ofPersonAnywhere(personId: string): Promise<PasskeyAnywhere[]> {
    return this.sql.query<PasskeyAnywhere>(OF_PERSON_ANYWHERE, [personId]);
  }

  /** Only of an active person. */
  async find(siteId: string, credentialId: Buffer): Promise<StoredPasskey | undefined> {
    const [row] = await this.sql.query<StoredPasskey>(FIND, [siteId, credentialId]);
    return row;
  }

  /** False when the counter did not increase, or the passkey is gone. */
  async use(siteId: string, passkeyId: string, signCount: number, backedUp: boolean): Promise<boolean> {
    const used = await this.sql.query(USE, [passkeyId, siteId, signCount, backedUp]);
    return used.length === 1;
  }

  async rename(personId: string, siteId: string, passkeyId: string, name: string): Promise<void> {
    await this.sql.query(RENAME, [personId, siteId, passkeyId, name]);
  }

  /**
   * The number of passkeys of the person of a session; undefined when the session has ended. Locks the row of the
   * person: the second of two concurrent additions counts the first, and a transaction that ends all sessions changes
   * that row first.
   */
  async countHeld(manager: EntityManager, { person_id, site_id, session }: Owner): Promise<number | undefined> {
    await manager.query('SELECT 1 FROM people WHERE person_id = $1 FOR NO KEY UPDATE', [person_id]);
    const live = 'SELECT 1 FROM sessions WHERE uid = $1 AND person_id = $2 AND site_id = $3 AND expires_at > now()';
    if ((await rows(manager, live, [session, person_id, site_id])).length === 0) return undefined;
    const count = 'SELECT count(*)::int AS n FROM passkeys WHERE person_id = $1 AND site_id = $2';
    const [row] = await rows<{ n: number }>(manager, count, [person_id, site_id]);
    return row?.n ?? 0;
  }

  /** Whether the person has added the credential at the site. */
  async holds(manager: EntityManager, { person_id, site_id }: Owner, credentialId: Buffer): Promise<boolean> {
    const text = 'select 1 from passkeys where site_id = $1 and credential_id = $2 and person_id = $3';
    return (await rows(manager, text, [site_id, credentialId, person_id])).length > 0;
  }

  /** Undefined when the credential is already registered at the site (Web Authentication Level 3 §7.1, step 27). */
  async insert(manager: EntityManager, owner: Owner, name: string, passkey: NewPasskey): Promise<string | undefined> {
    const { credential_id, public_key, sign_count, backup_eligible, backed_up, transports } = passkey;
    const [row] = await rows<{ passkey_id: string }>(
      manager,
      `INSERT INTO passkeys (person_id, site_id, name, credential_id, public_key, sign_count, backup_eligible, backed_up,
                             transports)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT ON CONSTRAINT passkeys_id_at_site DO NOTHING RETURNING passkey_id`,
      [
        owner.person_id,
        owner.site_id,
        name,
        credential_id,
        public_key,
        sign_count,
        backup_eligible,
        backed_up,
        transports,
      ],
    );
    return row?.passkey_id;
  }

  /** Returns the name; undefined for an unknown passkey and for another person's. */
  async remove(
    manager: EntityManager,
    personId: string,
    siteId: string,
    passkeyId: string,
  ): Promise<string | undefined> {
    const [gone] = await rows<{ name: string }>(
      manager,
      'DELETE FROM passkeys WHERE passkey_id::text = $3 AND person_id = $1 AND site_id = $2 RETURNING name',
      [personId, siteId, passkeyId],
    );
    return gone?.name;
  }

  /** Passkeys of all sites. The caller has locked the person, so no other transaction adds one. */
  removeAllBut(
    manager: EntityManager,
    personId: string,
    keep: readonly string[],
  ): Promise<Pick<PasskeyAnywhere, 'passkey_id' | 'site_id' | 'name'>[]> {
    return rows(
      manager,
      'DELETE FROM passkeys WHERE person_id = $1 AND passkey_id::text <> ALL($2) RETURNING passkey_id, site_id, name',
      [personId, keep],
    );
  }
}
