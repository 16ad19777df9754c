import { Injectable } from '@nestjs/common';
import type { MemberState, Role } from '@lyceum/contracts';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { rows } from '#src/database/rows.js';
import type { Person } from '#src/people/person.js';

/** A person at a site. */
export interface SiteMember {
  readonly member_id: string;
  readonly site_id: string;
  readonly person_id: string;
  readonly state: MemberState;
  readonly roles: readonly Role[];
  readonly version: number;
  readonly joined_at: Date;
  /** Null before the person joins. */
  readonly name: string | null;
  readonly picture: string | null;
  readonly locale: string | null;
  readonly phone: string | null;
  readonly timezone: string | null;
  /** When the personal data of a removed member was erased. */
  readonly erased_at: Date | null;
}

/** Mails that tell a person of changes of the account, which is one at all sites. */
const ACCOUNT_MAILS = ['password_changed', 'email_changed'];
const COLUMNS = `member_id, site_id, person_id, state, roles, version, joined_at, name, picture, locale, phone, timezone, erased_at`;
/** A membership with the address of its person. It has no name before the person joins, and after an erasure. */
const DESCRIBED = `m.member_id, m.site_id, m.person_id, m.state, m.roles, m.version, m.joined_at,
              coalesce(m.name, p.name) as name, m.picture, m.locale, m.phone, m.timezone, m.erased_at, p.email`;
const STATE = {
  name: 'member_state',
  text: 'select state from site_members where site_id = $1 and person_id = $2',
};
const PRESENT_PEOPLE = {
  name: 'members_present_people',
  text: `
    select person_id from site_members where site_id = $1 and person_id > $2 and erased_at is null
     order by person_id limit $3`,
};

@Injectable()
export class MembersRepository {
  constructor(private readonly sql: Sql) {}

  /** Undefined for a person who was never a member of the site. */
  async state(siteId: string, personId: string, tx?: EntityManager): Promise<MemberState | undefined> {
    const [row] = await this.sql.query<Pick<SiteMember, 'state'>>(STATE, [siteId, personId], tx);
    return row?.state;
  }

  /**
   * Locks the row for the rest of the transaction. A new row is `removed` and has version 0: no event contains it yet.
   */
  async lock(manager: EntityManager, siteId: string, personId: string): Promise<SiteMember> {
    const values = [siteId, personId];
    await manager.query(
      `insert into site_members (site_id, person_id, roles, state, version) values ($1, $2, '{}', 'removed', 0)
       on conflict do nothing`,
      values,
    );
    const [row] = await rows<SiteMember>(
      manager,
      `select ${COLUMNS} from site_members where site_id = $1 and person_id = $2 for update`,
      values,
    );
    if (row === undefined) throw new Error('The membership does not exist although it is locked');
    return row;
  }

  async idOf(manager: EntityManager, siteId: string, personId: string): Promise<string | null> {
    const text = 'select member_id from site_members where site_id = $1 and person_id = $2';
    const [row] = await rows<Pick<SiteMember, 'member_id'>>(manager, text, [siteId, personId]);
    return row?.member_id ?? null;
  }

  async sitesOf(manager: EntityManager, personId: string): Promise<string[]> {
    const found = await rows<{ site_id: string }>(manager, 'select site_id from site_members where person_id = $1', [
      personId,
    ]);
    return found.map(({ site_id }) => site_id);
  }

  /** Locks memberships in the order of their ids, so that two changes of the same members do not deadlock. */
  lockByIds(manager: EntityManager, siteId: string, memberIds: readonly string[]): Promise<SiteMember[]> {
    return rows<SiteMember>(
      manager,
      `select ${COLUMNS} from site_members where site_id = $1 and member_id = any($2) order by person_id for update`,
      [siteId, memberIds],
    );
  }

  async personOf(manager: EntityManager, siteId: string, memberId: string): Promise<string | undefined> {
    const text = 'select person_id from site_members where site_id = $1 and member_id = $2';
    const [row] = await rows<Pick<SiteMember, 'person_id'>>(manager, text, [siteId, memberId]);
    return row?.person_id;
  }

  /** Returns a membership with the address of the person and the epoch of the events. */
  async described(
    manager: EntityManager,
    siteId: string,
    memberId: string,
  ): Promise<(SiteMember & Pick<Person, 'email'> & { readonly epoch: number }) | undefined> {
    const [row] = await rows<SiteMember & Pick<Person, 'email'> & { readonly epoch: number }>(
      manager,
      `select ${DESCRIBED}, (select epoch::float8 from event_epoch) as epoch
         from site_members m join people p on p.person_id = m.person_id
        where m.site_id = $1 and m.member_id = $2`,
      [siteId, memberId],
    );
    return row;
  }

  /**
   * Erases the profile of a membership, with all personal data that only this site has. Mails about the account stay:
   * the person may have it at another site, and the changes may be those of a thief.
   */
  async eraseProfile(manager: EntityManager, { site_id, person_id }: SiteMember, email: string): Promise<void> {
    const key = [site_id, person_id];
    await manager.query(
      `update site_members set name = null, picture = null, locale = null, phone = null, timezone = null, erased_at = now()
        where site_id = $1 and person_id = $2`,
      key,
    );
    for (const table of ['invitations', 'consents', 'passkeys', 'email_changes', 'profile_pictures']) {
      await manager.query(`delete from ${table} where site_id = $1 and person_id = $2`, key);
    }
    for (const table of ['password_reset_requests', 'email_link_requests', 'email_links']) {
      await manager.query(`delete from ${table} where site_id = $1 and address = $2`, [site_id, email]);
    }
    const others = 'delete from mails where site_id = $1 and kind <> all($2)';
    await manager.query(`${others} and person_id = $3`, [site_id, ACCOUNT_MAILS, person_id]);
    await manager.query(`${others} and address = $3`, [site_id, ACCOUNT_MAILS, email]);
  }

  /** Deletes the uploaded picture of a profile that has another picture now, or none. */
  async dropPicture(manager: EntityManager, { site_id, person_id }: SiteMember): Promise<void> {
    await manager.query('delete from profile_pictures where site_id = $1 and person_id = $2', [site_id, person_id]);
  }

  /** Gives the memberships of a person their next versions, for events with the new address. */
  renew(manager: EntityManager, personId: string): Promise<SiteMember[]> {
    return rows<SiteMember>(
      manager,
      `update site_members set version = version + 1
        where person_id = $1 and erased_at is null and version > 0 returning ${COLUMNS}`,
      [personId],
    );
  }

  /** Returns true if any site has a profile of the person. A row of version 0 has none: no event has the person. */
  async hasProfile(manager: EntityManager, personId: string): Promise<boolean> {
    const text = 'select 1 from site_members where person_id = $1 and erased_at is null and version > 0 limit 1';
    return (await rows(manager, text, [personId])).length > 0;
  }

  /** People whose profile the site has, in the order of their ids, after the id `after`. */
  async presentPeople(siteId: string, after: string, limit: number): Promise<string[]> {
    const found = await this.sql.query<{ person_id: string }>(PRESENT_PEOPLE, [siteId, after, limit]);
    return found.map(({ person_id }) => person_id);
  }

  /** The next batch by (site_id, person_id) with published versions and their people, locked FOR SHARE. */
  share(
    manager: EntityManager,
    [siteId, personId]: readonly string[],
    limit: number,
  ): Promise<(SiteMember & Pick<Person, 'email'>)[]> {
    return rows(
      manager,
      `select ${DESCRIBED}
         from site_members m join people p on p.person_id = m.person_id
        where (m.site_id, m.person_id) > ($1, $2) and m.version > 0
        order by m.site_id, m.person_id limit $3 for share`,
      [siteId, personId, limit],
    );
  }

  /**
   * Adds a membership, or restores one without roles under the same id and with the same profile. A person whose data
   * was erased gets a new id, because the former id would reveal that the person still exists at another site.
   */
  async save(
    manager: EntityManager,
    { site_id, person_id }: SiteMember,
    next: Pick<SiteMember, 'state' | 'roles' | 'name' | 'picture' | 'locale' | 'phone' | 'timezone'>,
  ): Promise<SiteMember> {
    const [row] = await rows<SiteMember>(
      manager,
      `update site_members set joined_at = case when state = 'removed' then now() else joined_at end,
              member_id = case when erased_at is not null and $3 <> 'removed' then gen_random_uuid() else member_id end,
              erased_at = case when $3 = 'removed' then erased_at end,
              state = $3, roles = $4, name = $5, picture = $6, locale = $7, phone = $8, timezone = $9, version = version + 1
        where site_id = $1 and person_id = $2 returning ${COLUMNS}`,
      [site_id, person_id, next.state, next.roles, next.name, next.picture, next.locale, next.phone, next.timezone],
    );
    if (row === undefined) throw new Error('The membership does not exist although it is locked');
    return row;
  }
}
