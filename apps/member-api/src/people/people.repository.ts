import { Injectable } from '@nestjs/common';
import type { personEvents, roleEvents } from '@lyceum/contracts';
import { orderRoles } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';

type Person = z.output<(typeof personEvents)['data']>;
type Role = z.output<(typeof roleEvents)['data']>;

@Injectable()
export class PeopleRepository {
  /** Of a deleted person only the tombstone stays. */
  async applyPerson(manager: EntityManager, person: Person, version: number): Promise<void> {
    const gone = person.state === 'deleted';
    await manager.query(
      `INSERT INTO person AS old (person_id, version, email, name, picture, locale, state)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (person_id) DO UPDATE
         SET version = excluded.version, email = excluded.email, name = excluded.name, picture = excluded.picture,
             locale = excluded.locale, state = excluded.state
         WHERE old.version < excluded.version`,
      [
        person.person_id,
        version,
        gone ? '' : person.email,
        gone ? '' : person.name,
        gone ? null : person.picture,
        gone ? null : person.locale,
        person.state,
      ],
    );
  }

  /** No roles left means gone from the site; the row stays, for its version. */
  async applyRole(manager: EntityManager, role: Role, version: number): Promise<void> {
    await manager.query(
      `INSERT INTO membership AS old (person_id, site_id, version, roles, joined_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (person_id, site_id) DO UPDATE
         SET version = excluded.version, roles = excluded.roles, joined_at = excluded.joined_at
         WHERE old.version < excluded.version`,
      [role.person_id, role.site_id, version, orderRoles(role.roles), role.joined_at],
    );
  }
}
