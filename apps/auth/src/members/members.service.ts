import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { isMember, orderRoles, roleEvents } from '@lyceum/contracts';
import type { Role } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { NewEvent, Republication } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import type { RevocationReason } from '#src/audit/audit-entry.js';
import { AuditService } from '#src/audit/audit.service.js';
import { GrantsService } from '#src/grants/grants.service.js';
import { PeopleService } from '#src/people/people.service.js';
import type { Person } from '#src/people/person.js';
import { stateWithRoles } from './member-state.policy.js';
import { nameOf } from './profile.policy.js';
import type { MemberProfile } from './profile.policy.js';
import { MembersRepository } from './members.repository.js';
import type { SiteMember } from './members.repository.js';

/** The student of the school whose event changes a role. */
interface StudentCause {
  readonly student_id?: string | null;
}

/** The profile of a person who joins. A returning member keeps the previous one. */
interface NewMember {
  readonly profile?: { readonly name: string; readonly locale?: string | null };
}

interface Change extends StudentCause, NewMember {
  readonly roles: readonly Role[];
  /** The state of a member who joins with this change. */
  readonly joins?: 'invited' | 'active';
  /** Why the tokens and sessions of a member without roles end. */
  readonly ends?: RevocationReason;
}

/** Memberships of sites. Every change is an event, and ends the grants and sessions that it no longer allows. */
@Injectable()
export class MembersService {
  constructor(
    private readonly members: MembersRepository,
    private readonly people: PeopleService,
    private readonly outbox: Outbox,
    private readonly grants: GrantsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Sets exactly these roles for a person who needs no invitation. Does nothing without a change.
   *
   * @returns the id of the membership
   */
  async set(
    manager: EntityManager,
    siteId: string,
    person: Person,
    roles: readonly Role[],
    newMember: NewMember = {},
  ): Promise<string> {
    const held = await this.members.lock(manager, siteId, person.person_id);
    await this.#change(manager, person, held, { ...newMember, roles, joins: 'active' });
    return held.member_id;
  }

  /** True when the person did not have the role before. */
  async add(
    manager: EntityManager,
    siteId: string,
    person: Person,
    role: Role,
    { notify = false, student_id = null, ...newMember }: { readonly notify?: boolean } & StudentCause & NewMember = {},
  ): Promise<boolean> {
    const held = await this.members.lock(manager, siteId, person.person_id);
    const changed = await this.#change(manager, person, held, {
      ...newMember,
      roles: [...held.roles, role],
      student_id,
    });
    if (!changed && notify) await this.#emit(manager, person, await this.members.save(manager, held, held), student_id);
    return changed;
  }

  async remove(
    manager: EntityManager,
    siteId: string,
    person: Person,
    role: Role,
    { student_id = null }: StudentCause = {},
  ): Promise<void> {
    const held = await this.members.lock(manager, siteId, person.person_id);
    const roles = held.roles.filter((other) => other !== role);
    await this.#change(manager, person, held, { roles, student_id });
  }

  /** Removes all roles at every site, for the deletion of the person. */
  async removeAll(manager: EntityManager, person: Person): Promise<void> {
    await this.members.eraseProfiles(manager, person.person_id);
    for (const siteId of await this.members.sitesOf(manager, person.person_id)) {
      const held = await this.members.lock(manager, siteId, person.person_id);
      await this.#change(manager, person, held, { roles: [], ends: 'person_deleted' });
    }
  }

  /** Keeps the roles for a later reinstatement. Other sites are not affected. */
  async suspend(manager: EntityManager, siteId: string, person: Person): Promise<void> {
    const held = await this.#member(manager, siteId, person);
    if (held.state === 'suspended') return;
    await this.#move(manager, person, held, 'suspended');
    await this.grants.revokeOfMember(manager, siteId, person.person_id, 'member_suspended');
  }

  async reinstate(manager: EntityManager, siteId: string, person: Person): Promise<void> {
    const held = await this.#member(manager, siteId, person);
    if (held.state === 'suspended') await this.#move(manager, person, held, 'active');
  }

  /** The first sign-in at a site activates an invited member. False for a person who may not use the site. */
  async enter(siteId: string, personId: string): Promise<boolean> {
    const state = await this.members.state(siteId, personId);
    if (state === 'invited') await this.outbox.transaction((manager) => this.#activate(manager, siteId, personId));
    return state !== undefined && isMember(state);
  }

  /** Changes the profile of the person at the site. Does nothing without a change. */
  async changeProfile(siteId: string, personId: string, profile: MemberProfile): Promise<void> {
    await this.outbox.transaction(async (manager) => {
      const held = await this.members.lock(manager, siteId, personId);
      const person = await this.people.byId(personId);
      const { name, picture, locale, phone } = held;
      if (person === undefined || isDeepStrictEqual({ name, picture, locale, phone }, profile)) return;
      await this.#emit(manager, person, await this.members.save(manager, held, { ...held, ...profile }), null);
      await this.audit.record({ event: 'profile.changed', site_id: siteId, person_id: personId }, manager);
    });
  }

  /** Records that a student of the school has become another person. */
  async recordMove(
    manager: EntityManager,
    siteId: string,
    { student_id, from, to }: { readonly student_id: string; readonly from: string; readonly to: string },
  ): Promise<void> {
    // Admins of the site read the log: it names the former person by the membership.
    const details = { student_id, from: await this.members.idOf(manager, siteId, from) };
    await this.audit.record({ event: 'student.moved', site_id: siteId, person_id: to, details }, manager);
  }

  /** Removed members are included. */
  republication(): Republication<typeof roleEvents> {
    return {
      events: roleEvents,
      batch: async (manager, after, limit) => {
        const found = await this.members.share(manager, after, limit);
        return found.map((held) => ({ key: [held.site_id, held.person_id], event: toEvent(held, held, null) }));
      },
    };
  }

  async #member(manager: EntityManager, siteId: string, person: Person): Promise<SiteMember> {
    const held = await this.members.lock(manager, siteId, person.person_id);
    if (held.state === 'removed') throw new ApiError('not_found', `${person.email} is not a member of this site`);
    return held;
  }

  async #activate(manager: EntityManager, siteId: string, personId: string): Promise<void> {
    const held = await this.members.lock(manager, siteId, personId);
    const person = await this.people.byId(personId);
    if (held.state !== 'invited' || person === undefined) return;
    await this.#emit(manager, person, await this.members.save(manager, held, { ...held, state: 'active' }), null);
  }

  async #move(manager: EntityManager, person: Person, held: SiteMember, state: 'active' | 'suspended'): Promise<void> {
    await this.#emit(manager, person, await this.members.save(manager, held, { ...held, state }), null);
    const event = state === 'suspended' ? 'member.suspended' : 'member.reinstated';
    await this.audit.record({ event, site_id: held.site_id, person_id: held.person_id }, manager);
  }

  async #change(manager: EntityManager, person: Person, held: SiteMember, change: Change): Promise<boolean> {
    const { student_id = null, joins = 'invited', ends = 'member_removed' } = change;
    const roles = orderRoles(change.roles);
    if (roles.join() === orderRoles(held.roles).join()) return false;
    const { site_id, person_id } = held;
    const state = stateWithRoles(held.state, roles, joins);
    const name = held.name ?? nameOf(change.profile?.name, person.email);
    const locale = held.name === null ? (change.profile?.locale ?? null) : held.locale;
    const changed = await this.members.save(manager, held, { ...held, name, locale, roles, state });
    await this.#emit(manager, person, changed, student_id);
    if (changed.state === 'removed') await this.grants.revokeOfMember(manager, site_id, person_id, ends);
    else await this.grants.revokeBeyondRoles(manager, site_id, person_id, roles);
    const details = { before: held.roles, after: roles };
    await this.audit.record({ event: 'role.changed', site_id, person_id, details }, manager);
    return true;
  }

  #emit(manager: EntityManager, person: Person, state: SiteMember, student_id: string | null): Promise<void> {
    return this.outbox.add(manager, roleEvents, 'changed', toEvent(person, state, student_id));
  }
}

function toEvent(
  person: Pick<Person, 'email'>,
  member: SiteMember,
  student_id: string | null,
): NewEvent<typeof roleEvents> {
  const { member_id, site_id, person_id, state, roles, version, joined_at, name, picture, locale } = member;
  return {
    aggregate_id: `${site_id}:${person_id}`,
    aggregate_version: version,
    site_id,
    data: {
      member_id,
      site_id,
      person_id,
      email: person.email,
      name: nameOf(name ?? undefined, person.email),
      picture,
      locale,
      state,
      roles: orderRoles(roles),
      joined_at: joined_at.toISOString(),
      student_id,
    },
  };
}
