import { Injectable } from '@nestjs/common';
import type { personEvents, roleEvents } from '@lyceum/contracts';
import { orderRoles } from '@lyceum/contracts';
import { writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';

type PersonEvent = EventOf<[typeof personEvents]>;
type RoleEvent = EventOf<[typeof roleEvents]>;

@Injectable()
export class PeopleRepository {
  /** Of a deleted person only the tombstone stays. */
  async applyPeople(manager: EntityManager, events: readonly PersonEvent[]): Promise<void> {
    await writeNewest(
      manager,
      { table: 'person', key: ['person_id'] },
      events.map(({ data, aggregate_version: version }) => {
        const { person_id, state, email, name, picture, locale } = data;
        const told =
          state === 'deleted' ? { email: '', name: '', picture: null, locale: null } : { email, name, picture, locale };
        return { person_id, version, ...told, state };
      }),
    );
  }

  /** No roles left means gone from the site; the row stays, for its version. */
  async applyRoles(manager: EntityManager, events: readonly RoleEvent[]): Promise<void> {
    await writeNewest(
      manager,
      { table: 'membership', key: ['person_id', 'site_id'] },
      events.map(({ data, aggregate_version: version }) => ({
        person_id: data.person_id,
        site_id: data.site_id,
        version,
        roles: orderRoles(data.roles),
        joined_at: data.joined_at,
      })),
    );
  }
}
