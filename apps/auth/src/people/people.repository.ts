import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { rows } from '#src/database/rows.js';
import type { MemberOfSite } from './claims.policy.js';
import { memberAtSite } from './member-at-site.js';
import type { Authenticated } from './authenticated.js';
import type { HashedPassword } from './passwords.js';
import type { Person } from './person.js';

const COLUMNS = 'person_id, email, email_verified, name, picture, locale, state, version';

const BY_ID = { name: 'person_by_id', text: `SELECT ${COLUMNS} FROM people WHERE person_id = $1` };
const BY_EMAIL = { name: 'person_by_email', text: `SELECT ${COLUMNS} FROM people WHERE email = $1` };
const CREDENTIALS = {
  name: 'person_credentials',
  text: `SELECT person_id, sign_outs, password_hash FROM people WHERE email = $1 AND state = 'active'`,
};
const PASSWORD_HASH = { name: 'person_password_hash', text: 'SELECT password_hash FROM people WHERE person_id = $1' };
const AT_SITE = { name: 'person_at_site', text: memberAtSite('$1', '$2') };

interface Credentials extends Authenticated {
  readonly password_hash: string | null;
}

@Injectable()
export class PeopleRepository {
  constructor(private readonly sql: Sql) {}

  async byId(personId: string): Promise<Person | undefined> {
    const [row] = await this.sql.query<Person>(BY_ID, [personId]);
    return row;
  }

  async byEmail(email: string): Promise<Person | undefined> {
    const [row] = await this.sql.query<Person>(BY_EMAIL, [email]);
    return row;
  }

  async credentials(email: string): Promise<Credentials | undefined> {
    const [row] = await this.sql.query<Credentials>(CREDENTIALS, [email]);
    return row;
  }

  /** An active person, with the membership of the site. */
  async atSite(personId: string, siteId: string): Promise<MemberOfSite | undefined> {
    const [row] = await this.sql.query<MemberOfSite>(AT_SITE, [personId, siteId]);
    return row;
  }

  /** Locks the row, so that two transactions that create the same person run one after the other. */
  async lockByEmail(manager: EntityManager, email: string): Promise<Person | undefined> {
    const [row] = await rows<Person>(manager, `SELECT ${COLUMNS} FROM people WHERE email = $1 FOR UPDATE`, [email]);
    return row;
  }

  async lock(manager: EntityManager, personId: string): Promise<Person | undefined> {
    const [row] = await rows<Person>(manager, `SELECT ${COLUMNS} FROM people WHERE person_id = $1 FOR UPDATE`, [
      personId,
    ]);
    return row;
  }

  /** The next batch by id, locked FOR SHARE. */
  share(manager: EntityManager, after: string | undefined, limit: number): Promise<Person[]> {
    return rows<Person>(
      manager,
      `SELECT ${COLUMNS} FROM people WHERE person_id > $1 ORDER BY person_id LIMIT $2 FOR SHARE`,
      [after, limit],
    );
  }

  /** Undefined when another transaction has created the person. */
  async insert(
    manager: EntityManager,
    person: { email: string; name: string; locale: string | null; email_verified: boolean },
  ): Promise<Person | undefined> {
    const [row] = await rows<Person>(
      manager,
      `INSERT INTO people (email, name, locale, email_verified) VALUES ($1, $2, $3, $4)
       ON CONFLICT (email) DO NOTHING RETURNING ${COLUMNS}`,
      [person.email, person.name, person.locale, person.email_verified],
    );
    return row;
  }

  async update(
    manager: EntityManager,
    personId: string,
    change: { name?: string; state?: Person['state']; email_verified?: boolean },
  ): Promise<Person | undefined> {
    const [row] = await rows<Person>(
      manager,
      `UPDATE people SET name = coalesce($2, name), state = coalesce($3, state),
              email_verified = coalesce($4, email_verified), version = version + 1, updated_at = now()
        WHERE person_id = $1 RETURNING ${COLUMNS}`,
      [personId, change.name ?? null, change.state ?? null, change.email_verified ?? null],
    );
    return row;
  }

  /** Sets a confirmed address, and ends the links that the former one got. Undefined for an unknown person. */
  async changeEmail(manager: EntityManager, personId: string, email: string): Promise<Person | undefined> {
    const [row] = await rows<Person>(
      manager,
      `update people set email = $2, email_verified = true, version = version + 1, updated_at = now()
        where person_id = $1 returning ${COLUMNS}`,
      [personId, email],
    );
    await manager.query('update invitations set used_at = now() where person_id = $1 and used_at is null', [personId]);
    return row;
  }

  /** Undefined for an unknown or erased person. The new address is random: another row could have one with the id. */
  async erase(manager: EntityManager, personId: string): Promise<Person | undefined> {
    const [row] = await rows<Person>(
      manager,
      `UPDATE people SET state = 'deleted', email = gen_random_uuid() || '@deleted.invalid', email_verified = false,
              name = 'Deleted', picture = NULL, locale = NULL, password_hash = NULL,
              version = version + 1, updated_at = now()
        WHERE person_id = $1 AND state <> 'deleted' RETURNING ${COLUMNS}`,
      [personId],
    );
    // The row of the person is locked: transactions that added a passkey have ended, and none starts.
    if (row === undefined) return undefined;
    await manager.query('DELETE FROM passkeys WHERE person_id = $1', [personId]);
    // A mail names passkeys, and a dead one the address that its server refused.
    await manager.query('DELETE FROM mails WHERE person_id = $1', [personId]);
    await manager.query('DELETE FROM email_changes WHERE person_id = $1', [personId]);
    return row;
  }

  async passwordHash(personId: string, tx?: EntityManager): Promise<string | null> {
    const [row] = await this.sql.query<Pick<Credentials, 'password_hash'>>(PASSWORD_HASH, [personId], tx);
    return row?.password_hash ?? null;
  }

  async signOuts(manager: EntityManager, personId: string): Promise<number> {
    const [row] = await rows<{ sign_outs: number }>(manager, 'SELECT sign_outs FROM people WHERE person_id = $1', [
      personId,
    ]);
    return row?.sign_outs ?? 0;
  }

  /** Sets the password. Ends all open links of the person, so that none of them replaces it. */
  async setPasswordHash(manager: EntityManager, personId: string, { hash }: HashedPassword): Promise<void> {
    await manager.query('UPDATE people SET password_hash = $2, updated_at = now() WHERE person_id = $1', [
      personId,
      hash,
    ]);
    await manager.query('UPDATE invitations SET used_at = now() WHERE person_id = $1 AND used_at IS NULL', [personId]);
    await manager.query(
      `UPDATE email_links SET used_at = now()
        WHERE address = (SELECT email FROM people WHERE person_id = $1) AND used_at IS NULL`,
      [personId],
    );
  }
}
