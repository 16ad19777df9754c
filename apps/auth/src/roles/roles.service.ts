import { Injectable } from '@nestjs/common';
import { orderRoles, roleEvents } from '@lyceum/contracts';
import type { Role } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import type { NewEvent, Republication } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { AuditService } from '#src/audit/audit.service.js';
import { GrantsService } from '#src/grants/grants.service.js';
import type { Person } from '#src/people/person.js';
import { RolesRepository } from './roles.repository.js';
import type { SiteRoles } from './roles.repository.js';

/** What a person is at a site. Every change is an event, and ends the grants that go beyond what is left. */
@Injectable()
export class RolesService {
  constructor(
    private readonly roles: RolesRepository,
    private readonly outbox: Outbox,
    private readonly grants: GrantsService,
    private readonly audit: AuditService,
  ) {}

  /** Exactly these roles. Nothing happens when they are held already. */
  async set(manager: EntityManager, siteId: string, person: Person, roles: readonly Role[]): Promise<void> {
    const held = await this.roles.lock(manager, siteId, person.person_id);
    await this.#change(manager, person, held, roles);
  }

  /** `tell`: the readers of events do not know it yet, so the state is sent even if nothing changed. */
  async add(manager: EntityManager, siteId: string, person: Person, role: Role, tell = false): Promise<boolean> {
    const held = await this.roles.lock(manager, siteId, person.person_id);
    const changed = await this.#change(manager, person, held, [...held.roles, role]);
    if (!changed && tell) {
      await this.#emit(manager, person, await this.roles.save(manager, siteId, person.person_id, held.roles));
    }
    return changed;
  }

  async remove(manager: EntityManager, siteId: string, person: Person, role: Role): Promise<void> {
    const held = await this.roles.lock(manager, siteId, person.person_id);
    await this.#change(
      manager,
      person,
      held,
      held.roles.filter((other) => other !== role),
    );
  }

  /** At every site. */
  async removeAll(manager: EntityManager, person: Person): Promise<void> {
    for (const siteId of await this.roles.sitesOf(manager, person.person_id))
      await this.set(manager, siteId, person, []);
  }

  async #change(manager: EntityManager, person: Person, held: SiteRoles, wanted: readonly Role[]): Promise<boolean> {
    const roles = orderRoles(wanted);
    if (roles.join() === orderRoles(held.roles).join()) return false;
    const { site_id } = held;
    const changed = await this.roles.save(manager, site_id, person.person_id, roles);
    await this.#emit(manager, person, changed);
    await this.grants.revokeBeyondRoles(manager, site_id, person.person_id, roles);
    const details = { before: held.roles, after: roles };
    await this.audit.record({ event: 'role.changed', site_id, person_id: person.person_id, details }, manager);
    return true;
  }

  /** Who has left a site is told of too: a person without roles. */
  republication(): Republication<typeof roleEvents> {
    return {
      events: roleEvents,
      batch: async (manager, after, limit) => {
        const found = await this.roles.share(manager, after, limit);
        return found.map((held) => ({ key: [held.site_id, held.person_id], event: toEvent(held, held) }));
      },
    };
  }

  #emit(manager: EntityManager, person: Person, state: SiteRoles): Promise<void> {
    return this.outbox.add(manager, roleEvents, 'changed', toEvent(person, state));
  }
}

function toEvent(person: Pick<Person, 'email' | 'name'>, state: SiteRoles): NewEvent<typeof roleEvents> {
  const { site_id, person_id } = state;
  return {
    aggregate_id: `${site_id}:${person_id}`,
    aggregate_version: state.version,
    site_id,
    data: {
      site_id,
      person_id,
      email: person.email,
      name: person.name,
      roles: orderRoles(state.roles),
      joined_at: state.joined_at.toISOString(),
    },
  };
}
