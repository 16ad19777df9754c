import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { isMember, orderRoles, roleEvents } from '@lyceum/contracts';
import type { MemberState, Membership, Role } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { Republication } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import type { RevocationReason } from '#src/audit/audit-entry.js';
import { actedBy } from '#src/audit/acted-by.js';
import { AuditService } from '#src/audit/audit.service.js';
import { GrantsService } from '#src/grants/grants.service.js';
import { PeopleService } from '#src/people/people.service.js';
import type { Person } from '#src/people/person.js';
import { stateWithRoles } from './member-state.policy.js';
import { nameOf } from './profile.policy.js';
import type { MemberProfile } from './profile.policy.js';
import { aggregateOf, toEvent } from './member.event.js';
import type { EventCause } from './member.event.js';
import { MembersRepository } from './members.repository.js';
import type { SiteMember } from './members.repository.js';

/** The student of the school whose event changes a role. */
interface StudentCause {
  readonly student_id?: string | null;
}

/** The profile of a person who joins. A returning member keeps the previous one. */
interface NewMember {
  readonly profile?: Partial<MemberProfile>;
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
   * Sets exactly these roles. A new member is active at once unless `joins` is `invited`. Does nothing without a
   * change.
   *
   * @returns the id of the membership
   */
  async set(
    manager: EntityManager,
    siteId: string,
    person: Person,
    roles: readonly Role[],
    newMember: NewMember & Pick<Change, 'joins'> = {},
  ): Promise<string> {
    const held = await this.members.lock(manager, siteId, person.person_id);
    const change = { joins: 'active' as const, ...newMember, roles };
    return (await this.#change(manager, person, held, change))?.member_id ?? held.member_id;
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
    if (changed === undefined && notify)
      await this.#emit(manager, person, await this.members.save(manager, held, held), { student_id });
    return changed !== undefined;
  }

  /** A suspended member keeps the last role of a student: without it the suspension would be forgotten. */
  async remove(
    manager: EntityManager,
    siteId: string,
    person: Person,
    role: Role,
    { student_id = null }: StudentCause = {},
  ): Promise<void> {
    const held = await this.members.lock(manager, siteId, person.person_id);
    const roles = held.roles.filter((other) => other !== role);
    if (student_id !== null && held.state === 'suspended' && roles.length === 0) return;
    await this.#change(manager, person, held, { roles, student_id });
  }

  /** Erases all memberships of a person who is deleted. */
  async removeAll(manager: EntityManager, person: Person): Promise<void> {
    for (const siteId of await this.members.sitesOf(manager, person.person_id)) {
      await this.erase(manager, siteId, person, 'person_deleted');
    }
  }

  /**
   * Ends the membership and erases the personal data that the site has. The event replaces the name and the address, so
   * read models lose them too.
   */
  async erase(
    manager: EntityManager,
    siteId: string,
    person: Person,
    ends: RevocationReason = 'member_removed',
  ): Promise<void> {
    const held = await this.members.lock(manager, siteId, person.person_id);
    if (held.erased_at !== null) return;
    await this.members.eraseProfile(manager, held, person.email);
    const profile = { name: null, picture: null, locale: null, phone: null, timezone: null };
    const erased = await this.members.save(manager, held, { ...profile, state: 'removed', roles: [] });
    await this.#emit(manager, person, erased);
    await this.outbox.erase(manager, roleEvents, { aggregate_id: aggregateOf(erased), version: erased.version });
    await this.grants.revokeOfMember(manager, siteId, person.person_id, ends);
    const details = { before: held.roles, ...(ends === 'member_left' ? { left: true } : actedBy()) };
    await this.audit.record(
      { event: 'member.removed', site_id: siteId, person_id: person.person_id, details },
      manager,
    );
  }

  /** Changes the address of a locked person at every site. */
  async changeEmail(manager: EntityManager, personId: string, email: string): Promise<void> {
    const person = await this.people.changeEmail(manager, personId, email);
    for (const held of await this.members.renew(manager, personId)) {
      await this.#emit(manager, person, held);
      const entry = { event: 'email.changed', site_id: held.site_id, person_id: personId } as const;
      await this.audit.record(entry, manager);
    }
  }

  /** Erases the membership. Erases the person too if no other site has a profile of them. */
  async eraseLast(manager: EntityManager, siteId: string, person: Person, ends?: RevocationReason): Promise<void> {
    await this.erase(manager, siteId, person, ends);
    const { person_id } = person;
    if (!(await this.members.hasProfile(manager, person_id))) await this.people.erase(manager, person_id);
  }

  /** Locks memberships in the order of their ids. */
  lockByIds(manager: EntityManager, siteId: string, memberIds: readonly string[]): Promise<SiteMember[]> {
    return this.members.lockByIds(manager, siteId, memberIds);
  }

  /** Returns the id of the person; undefined for an unknown member. */
  personOf(manager: EntityManager, siteId: string, memberId: string): Promise<string | undefined> {
    return this.members.personOf(manager, siteId, memberId);
  }

  /** Returns the id of the membership of a person at the site; undefined without roles. */
  async idOf(manager: EntityManager, siteId: string, personId: string): Promise<string | undefined> {
    const held = await this.members.lock(manager, siteId, personId);
    return held.state === 'removed' ? undefined : held.member_id;
  }

  /** Locks a membership for the rest of the transaction. It is `removed` for a person who has none. */
  hold(manager: EntityManager, siteId: string, personId: string): Promise<SiteMember> {
    return this.members.lock(manager, siteId, personId);
  }

  /** Returns the membership of the newest event, with its position in the order of events. */
  async describe(manager: EntityManager, siteId: string, memberId: string): Promise<Membership> {
    const found = await this.members.described(manager, siteId, memberId);
    if (found === undefined) throw new Error('A changed membership does not exist');
    const { data, aggregate_version: version } = toEvent(found, found);
    return { ...roleEvents.data.parse(data), member_id: found.member_id, epoch: found.epoch, version };
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

  /** Returns undefined for a person who was never a member of the site. */
  stateOf(siteId: string, personId: string, tx?: EntityManager): Promise<MemberState | undefined> {
    return this.members.state(siteId, personId, tx);
  }

  /** The first sign-in at a site activates an invited member. False for a person who may not use the site. */
  async enter(siteId: string, personId: string): Promise<boolean> {
    const state = await this.members.state(siteId, personId);
    if (state === 'invited') await this.outbox.transaction((manager) => this.#activate(manager, siteId, personId));
    return state !== undefined && isMember(state);
  }

  /** Changes the profile of the person at the site. Does nothing without a change. */
  async changeProfile(siteId: string, personId: string, profile: Partial<MemberProfile>): Promise<void> {
    await this.outbox.transaction(async (manager) => {
      const person = await this.people.hold(manager, personId);
      if (person !== undefined) await this.setProfile(manager, siteId, person, profile);
    });
  }

  /** Sets the given members of a profile. Does nothing without a change. */
  async setProfile(
    manager: EntityManager,
    siteId: string,
    person: Person,
    given: Partial<MemberProfile>,
  ): Promise<void> {
    const held = await this.members.lock(manager, siteId, person.person_id);
    const { name, picture, locale, phone, timezone } = held;
    const before = { name, picture, locale, phone, timezone };
    const profile = { ...before, ...given };
    if (held.erased_at !== null || isDeepStrictEqual(before, profile)) return;
    if (profile.picture !== picture) await this.members.dropPicture(manager, held);
    await this.#emit(manager, person, await this.members.save(manager, held, { ...held, ...profile }));
    const entry = { event: 'profile.changed', site_id: siteId, person_id: person.person_id } as const;
    await this.audit.record(entry, manager);
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
        return found.map((held) => ({ key: [held.site_id, held.person_id], event: toEvent(held, held) }));
      },
    };
  }

  async #member(manager: EntityManager, siteId: string, person: Person): Promise<SiteMember> {
    const held = await this.members.lock(manager, siteId, person.person_id);
    if (held.state === 'removed') throw new ApiError('not_found', `${person.email} is not a member of this site`);
    return held;
  }

  async #activate(manager: EntityManager, siteId: string, personId: string): Promise<void> {
    const person = await this.people.hold(manager, personId);
    const held = await this.members.lock(manager, siteId, personId);
    if (held.state !== 'invited' || person === undefined) return;
    await this.#emit(manager, person, await this.members.save(manager, held, { ...held, state: 'active' }));
  }

  async #move(manager: EntityManager, person: Person, held: SiteMember, state: 'active' | 'suspended'): Promise<void> {
    await this.#emit(manager, person, await this.members.save(manager, held, { ...held, state }));
    const event = state === 'suspended' ? 'member.suspended' : 'member.reinstated';
    const { site_id, person_id } = held;
    await this.audit.record({ event, site_id, person_id, details: actedBy() }, manager);
  }

  /** Returns undefined if nothing changes. */
  async #change(
    manager: EntityManager,
    person: Person,
    held: SiteMember,
    change: Change,
  ): Promise<SiteMember | undefined> {
    const { student_id = null, joins = 'invited', ends = 'member_removed' } = change;
    const roles = orderRoles(change.roles);
    if (roles.join() === orderRoles(held.roles).join()) return undefined;
    const { site_id, person_id } = held;
    const state = stateWithRoles(held.state, roles, joins);
    const { name, picture = null, locale = null, phone = null, timezone = null } = change.profile ?? {};
    const profile = held.name === null ? { name: nameOf(name, person.email), picture, locale, phone, timezone } : {};
    const changed = await this.members.save(manager, held, { ...held, ...profile, roles, state });
    await this.#emit(manager, person, changed, { student_id, joined: held.state === 'removed' });
    if (changed.state === 'removed') await this.grants.revokeOfMember(manager, site_id, person_id, ends);
    else await this.grants.revokeBeyondRoles(manager, site_id, person_id, roles);
    const details = { before: held.roles, after: roles, ...actedBy() };
    await this.audit.record({ event: 'role.changed', site_id, person_id, details }, manager);
    return changed;
  }

  #emit(manager: EntityManager, person: Person, state: SiteMember, cause: EventCause = {}): Promise<void> {
    return this.outbox.add(manager, roleEvents, 'changed', toEvent(person, state, cause));
  }
}
