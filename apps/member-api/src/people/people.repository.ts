import { Injectable } from '@nestjs/common';
import { isErasedEmail, isMember, orderRoles, personEvents, roleEvents } from '@lyceum/contracts';
import type { EntityEvents } from '@lyceum/contracts';
import { ReadModel, Consumes, Outbox, writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { rowsOf } from '#src/read-models/rows-of.js';

type PersonEvent = EventOf<[typeof personEvents]>;
export type RoleEvent = EventOf<[typeof roleEvents]>;

@Injectable()
@ReadModel('people')
export class PeopleRepository {
  constructor(private readonly outbox: Outbox) {}

  /** A deleted person leaves only a tombstone. */
  @Consumes(personEvents, 'people', { table: 'people' })
  async applyPeople(events: readonly PersonEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      { table: 'people', key: ['person_id'] },
      rowsOf(events, ['person_id', 'state'], ({ state, email, name, picture, locale }) =>
        state === 'deleted' ? { email: '', name: '', picture: null, locale: null } : { email, name, picture, locale },
      ),
    );
    await this.#erase(personEvents, events, tx);
  }

  /** Stores the effective roles: none for a suspended member. The row stays for its version. */
  @Consumes(roleEvents, 'roles', { table: 'memberships' })
  async applyRoles(events: readonly RoleEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      { table: 'memberships', key: ['person_id', 'site_id'] },
      rowsOf(
        events,
        ['person_id', 'site_id', 'joined_at', 'name', 'picture', 'locale', 'timezone'],
        ({ state, roles }) => ({
          roles: isMember(state) ? orderRoles(roles) : [],
        }),
      ),
    );
    await this.#erase(roleEvents, events, tx);
  }

  /** Earlier events of erased people may be dead letters. */
  async #erase(entity: EntityEvents, events: readonly (PersonEvent | RoleEvent)[], tx: EntityManager): Promise<void> {
    for (const { aggregate_id, epoch, aggregate_version: version, data } of events) {
      if (isErasedEmail(data.email)) await this.outbox.erase(tx, entity, { aggregate_id, epoch, version });
    }
  }
}
