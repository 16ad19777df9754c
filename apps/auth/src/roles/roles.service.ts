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

/** The student of the school whose event changes a role. */
interface Cause {
  readonly student_id?: string | null;
}

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
    await this.#change(manager, person, held, { roles });
  }

  /** True when the person did not hold the role before. */
  async add(
    manager: EntityManager,
    siteId: string,
    person: Person,
    role: Role,
    { tell = false, student_id = null }: { readonly tell?: boolean } & Cause = {},
  ): Promise<boolean> {
    const held = await this.roles.lock(manager, siteId, person.person_id);
    const changed = await this.#change(manager, person, held, { roles: [...held.roles, role], student_id });
    if (!changed && tell) {
      const saved = await this.roles.save(manager, siteId, person.person_id, held.roles);
      await this.#emit(manager, person, saved, student_id);
    }
    return changed;
  }

  async remove(
    manager: EntityManager,
    siteId: string,
    person: Person,
    role: Role,
    { student_id = null }: Cause = {},
  ): Promise<void> {
    const held = await this.roles.lock(manager, siteId, person.person_id);
    const roles = held.roles.filter((other) => other !== role);
    await this.#change(manager, person, held, { roles, student_id });
  }

  /** Writes down that a student of the school has become another person. */
  async recordMove(
    manager: EntityManager,
    siteId: string,
    { student_id, from, to }: { readonly student_id: string; readonly from: string; readonly to: string },
  ): Promise<void> {
    const details = { student_id, from };
    await this.audit.record({ event: 'student.moved', site_id: siteId, person_id: to, details }, manager);
  }

  /** At every site. */
  async removeAll(manager: EntityManager, person: Person): Promise<void> {
    for (const siteId of await this.roles.sitesOf(manager, person.person_id))
      await this.set(manager, siteId, person, []);
  }

  async #change(
    manager: EntityManager,
    person: Person,
    held: SiteRoles,
    { roles: wanted, student_id = null }: { readonly roles: readonly Role[] } & Cause,
  ): Promise<boolean> {
    const roles = orderRoles(wanted);
    if (roles.join() === orderRoles(held.roles).join()) return false;
    const { site_id } = held;
    const changed = await this.roles.save(manager, site_id, person.person_id, roles);
    await this.#emit(manager, person, changed, student_id);
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
        return found.map((held) => ({ key: [held.site_id, held.person_id], event: toEvent(held, held, null) }));
      },
    };
  }

  #emit(manager: EntityManager, person: Person, state: SiteRoles, student_id: string | null): Promise<void> {
    return this.outbox.add(manager, roleEvents, 'changed', toEvent(person, state, student_id));
  }
}

function toEvent(
  person: Pick<Person, 'email' | 'name'>,
  state: SiteRoles,
  student_id: string | null,
): NewEvent<typeof roleEvents> {
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
      student_id,
    },
  };
}
