import { Injectable } from '@nestjs/common';
import type { ChangedMembership, Role } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { WelcomeMails } from '#src/invitations/welcome-mails.js';
import { checkChange, requireOperator } from '#src/members/member-change.policy.js';
import type { MemberChange } from '#src/members/member-change.policy.js';
import { MembersService } from '#src/members/members.service.js';
import type { MemberProfile } from '#src/members/profile.policy.js';
import { PeopleService } from '#src/people/people.service.js';
import type { Person } from '#src/people/person.js';
import type { SiteRecord } from '#src/sites/site.js';
import { MemberRequestsRepository } from './member-requests.repository.js';

/** Members that all requests have. */
export interface Requested {
  readonly request_id: string;
  readonly dry_run: boolean;
  readonly actor: { readonly member_id: string };
}

export interface OfMember extends Requested {
  readonly member_id: string;
}

export interface NewInvitee extends Requested {
  readonly email: string;
  readonly roles: readonly Role[];
  readonly profile: Partial<MemberProfile>;
}

interface LockedMember {
  readonly erased_at: Date | null;
  readonly roles: readonly Role[];
}

type Work = (manager: EntityManager, person: Person, member: LockedMember) => Promise<unknown>;

/** Thrown to roll a dry run back. */
class DryRunRollback extends Error {
  constructor(readonly result: ChangedMembership) {
    super('A dry run is rolled back');
  }
}

/** Changes memberships for operators of a site. Each request id is applied once, in one transaction. */
@Injectable()
export class MemberChangesService {
  constructor(
    private readonly members: MembersService,
    private readonly people: PeopleService,
    private readonly welcomes: WelcomeMails,
    private readonly requests: MemberRequestsRepository,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Adds a person, who is invited until the first sign-in at the site. The response does not reveal whether the person
   * has an account at another site. Beyond the limit of the address the member is stored, and no mail is sent.
   *
   * @throws `already_exists` with the id of the member that has the address
   */
  invite(site: SiteRecord, { email, roles, profile, ...request }: NewInvitee): Promise<ChangedMembership> {
    const { site_id } = site;
    return this.#once(site_id, request, async (manager) => {
      requireOperator((await this.members.lockByIds(manager, site_id, [request.actor.member_id]))[0]);
      const { person } = await this.people.findOrCreate(manager, { email, name: profile.name ?? '' });
      const known = await this.members.idOf(manager, site_id, person.person_id);
      if (known !== undefined) throw taken(known);
      const member_id = await this.members.set(manager, site_id, person, roles, { profile, joins: 'invited' });
      if (!request.dry_run) await this.welcomes.add(manager, site, person);
      return { member_id, changed: true };
    });
  }

  changeProfile(siteId: string, request: OfMember, profile: Partial<MemberProfile>): Promise<ChangedMembership> {
    return this.#change(siteId, request, 'profile', (manager, person) =>
      this.members.setProfile(manager, siteId, person, profile),
    );
  }

  /** `choose` receives the current roles, locked. Undefined changes nothing. */
  setRoles(
    siteId: string,
    request: OfMember,
    choose: (current: readonly Role[]) => readonly Role[] | undefined,
  ): Promise<ChangedMembership> {
    return this.#change(siteId, request, 'roles', async (manager, person, member) => {
      const roles = choose(member.roles);
      if (roles !== undefined) await this.members.set(manager, siteId, person, roles);
    });
  }

  /**
   * Mails the invitation again. A repeated request does not count. A person with a password from another site gets a
   * mail without a link, and the operator the same response.
   *
   * @throws `rate_limited`
   */
  resend(site: SiteRecord, request: OfMember): Promise<ChangedMembership> {
    return this.#change(site.site_id, request, 'resend', (manager, person) =>
      this.welcomes.resend(manager, site, person),
    );
  }

  suspend(siteId: string, request: OfMember): Promise<ChangedMembership> {
    return this.#change(siteId, request, 'suspend', (manager, person) => this.members.suspend(manager, siteId, person));
  }

  reinstate(siteId: string, request: OfMember): Promise<ChangedMembership> {
    return this.#change(siteId, request, 'reinstate', (manager, person) =>
      this.members.reinstate(manager, siteId, person),
    );
  }

  /** Erases the membership. Erases the person too if no other site has a profile of them. */
  remove(siteId: string, request: OfMember): Promise<ChangedMembership> {
    return this.#change(siteId, request, 'remove', async (manager, person, { erased_at }) => {
      if (erased_at === null) await this.members.eraseLast(manager, siteId, person);
    });
  }

  /** Locks the person before the memberships, in the order of all transactions that lock both. */
  #change(siteId: string, request: OfMember, change: MemberChange, work: Work): Promise<ChangedMembership> {
    const { member_id, actor } = request;
    return this.#once(siteId, request, async (manager) => {
      const personId = await this.members.personOf(manager, siteId, member_id);
      const person = personId === undefined ? undefined : await this.people.hold(manager, personId);
      const locked = await this.members.lockByIds(manager, siteId, [actor.member_id, member_id]);
      const target = locked.find((one) => one.member_id === member_id);
      const by = locked.find((one) => one.member_id === actor.member_id);
      // Before the member is looked up, so that the refusal does not reveal which members exist.
      requireOperator(by);
      if (person === undefined || target === undefined) throw new ApiError('not_found', 'This site has no such member');
      checkChange(change, by, target);
      await work(manager, person, target);
      const [after] = await this.members.lockByIds(manager, siteId, [member_id]);
      return { member_id, changed: after?.version !== target.version };
    });
  }

  async #once(
    siteId: string,
    { request_id, dry_run }: Requested,
    work: (manager: EntityManager) => Promise<{ member_id: string; changed: boolean }>,
  ): Promise<ChangedMembership> {
    try {
      return await this.outbox.transaction(async (manager) => {
        const known = await this.requests.take(manager, siteId, request_id);
        const { member_id, changed } = known ?? (await work(manager));
        if (known === undefined) await this.requests.finish(manager, siteId, request_id, { member_id, changed });
        const result = { membership: await this.members.describe(manager, siteId, member_id), changed };
        if (dry_run) throw new DryRunRollback(result);
        return result;
      });
    } catch (error) {
      if (!(error instanceof DryRunRollback)) throw error;
      return error.result;
    }
  }
}

function taken(id: string): ApiError {
  return new ApiError('already_exists', 'A member of this site has this email', {
    errors: [{ pointer: '/email', code: 'already_exists', detail: 'Taken by another member', id }],
  });
}
