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
}

const COLUMNS = `member_id, site_id, person_id, state, roles, version, joined_at, name, picture, locale, phone`;
const STATE = {
  name: 'member_state',
  text: 'select state from site_members where site_id = $1 and person_id = $2',
};

@Injectable()
export class MembersRepository {
  constructor(private readonly sql: Sql) {}

  /** Undefined for a person who was never a member of the site. */
  async state(siteId: string, personId: string): Promise<MemberState | undefined> {
    const [row] = await this.sql.query<Pick<SiteMember, 'state'>>(STATE, [siteId, personId]);
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

  async eraseProfiles(manager: EntityManager, personId: string): Promise<void> {
    await manager.query(
      `update site_members set name = 'Deleted', picture = null, locale = null, phone = null where person_id = $1`,
      [personId],
    );
  }

  /** The next batch by (site_id, person_id) with published versions and their people, locked FOR SHARE. */
  share(
    manager: EntityManager,
    [siteId, personId]: readonly string[],
    limit: number,
  ): Promise<(SiteMember & Pick<Person, 'email'>)[]> {
    return rows(
      manager,
      `select m.member_id, m.site_id, m.person_id, m.state, m.roles, m.version, m.joined_at,
              coalesce(m.name, p.name) as name, m.picture, m.locale, m.phone, p.email
         from site_members m join people p on p.person_id = m.person_id
        where (m.site_id, m.person_id) > ($1, $2) and m.version > 0
        order by m.site_id, m.person_id limit $3 for share`,
      [siteId, personId, limit],
    );
  }

  /** A person who returns after a removal joins again, under the same id and with the same profile. */
  async save(
    manager: EntityManager,
    { site_id, person_id }: SiteMember,
    next: Pick<SiteMember, 'state' | 'roles' | 'name' | 'picture' | 'locale' | 'phone'>,
  ): Promise<SiteMember> {
    const [row] = await rows<SiteMember>(
      manager,
      `update site_members set joined_at = case when state = 'removed' then now() else joined_at end,
              state = $3, roles = $4, name = $5, picture = $6, locale = $7, phone = $8, version = version + 1
        where site_id = $1 and person_id = $2 returning ${COLUMNS}`,
      [site_id, person_id, next.state, next.roles, next.name, next.picture, next.locale, next.phone],
    );
    if (row === undefined) throw new Error('The membership does not exist although it is locked');
    return row;
  }
}
