import { SiteStores } from '@lyceum/collections';
import type { Caller, ChangeRequest, CreateRequest, Created, SiteStore, Written } from '@lyceum/collections';
import {
  changeMember,
  inviteMember,
  memberEvents,
  reinstateMember,
  removeMember,
  setMemberRoles,
  suspendMember,
} from '@lyceum/contracts';
import type { ChangedMembership, Membership } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { changedColumns, copyOf } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { pictureFile } from '#src/pictures/picture.service.js';
import { SUBSCRIPTIONS_OF_MEMBER } from '#src/subscriptions/subscription.listing.js';
import { SubscriptionService } from '#src/subscriptions/subscription.service.js';
import { Member } from './member.entity.js';
import { partsOf } from './member.policy.js';
import { ENROLLMENTS_COUNT, LAST_SEEN, MemberRepository, TOTAL_SPENT } from './member.repository.js';
import { MemberRequests } from './member-requests.js';
import { member as resource } from './member.schema.js';
import type { MemberCreate, MemberListQuery, MemberPatch, MemberRoles } from './member.schema.js';
import { MembershipService } from './membership.service.js';

type EventName = (typeof memberEvents)['names'][number];

/** SQL of the filters that are not columns. */
const CONDITIONS = { role: 'roles @> array[?]::text[]' };

/**
 * Reads and changes members, for owners and admins. Identity owns state, roles and profile. A write sends it a request
 * and stores the response in the same transaction, so a later read returns it.
 */
@Injectable()
export class MemberService {
  readonly #members: SiteStore<Member, typeof memberEvents>;

  constructor(
    stores: SiteStores,
    private readonly requests: MemberRequests,
    private readonly memberships: MembershipService,
    private readonly repository: MemberRepository,
    private readonly subscriptions: SubscriptionService,
  ) {
    this.#members = stores.of({
      entity: Member,
      resource: copyOf(resource, { conditions: CONDITIONS }),
      computed: {
        total_spent: TOTAL_SPENT,
        active_subscription_ids: SUBSCRIPTIONS_OF_MEMBER,
        enrollments_count: ENROLLMENTS_COUNT,
        last_seen_at: LAST_SEEN,
        avatar_file_id: pictureFile('member_id', 'members'),
      },
      unique: { members_external_id: 'external_id' },
      events: memberEvents,
      data: ({ id: member_id, site_id, state, roles }) => ({ member_id, site_id, state, roles }),
    });
  }

  list(caller: Caller, query: MemberListQuery): Promise<Page<Member>> {
    requireAdministrator(caller, 'see its members');
    return this.#members.list(caller, query);
  }

  async get(caller: Caller, id: string): Promise<Member> {
    requireAdministrator(caller, 'see its members');
    return this.#members.get(caller, id);
  }

  /** @throws `not_found` */
  async requireMember(caller: Caller, id: string): Promise<void> {
    requireAdministrator(caller, 'see its members');
    if (!(await this.repository.exists(caller, id))) this.#members.missing();
  }

  /** @throws `already_exists` for the address or the external id of another member */
  async invite({ principal, write, body, tx }: CreateRequest<MemberCreate>): Promise<Created<Member>> {
    requireAdministrator(principal, 'invite members');
    const { email, roles, ...values } = body;
    const { profile, own } = partsOf(values);
    await this.memberships.requireCustomFields(tx, principal, own.custom_fields);
    await this.#requireFree(tx, principal, own.external_id ?? null);
    const { membership } = await this.requests.send(inviteMember, { principal, write }, { email, roles, ...profile });
    const row = await this.#follow(tx, principal, membership);
    return { ...(await this.#publish(tx, principal, row, 'invited', own)), created: true };
  }

  async patch(request: ChangeRequest<MemberPatch>): Promise<Written<Member>> {
    const row = await this.#lock(request);
    if (row.state === 'removed') throw new ApiError('invalid_state', 'The member is removed');
    const { body, principal, tx } = request;
    await this.memberships.requireCustomFields(tx, principal, body.custom_fields);
    const changes = changedColumns(row, this.memberships.settled(principal, row, body), resource) ?? {};
    const { profile, own } = partsOf(changes);
    await this.#requireFree(tx, principal, own.external_id ?? null);
    // Before the request to identity, whose change would outlast a refusal.
    await this.memberships.show(tx, principal, row, changes.avatar_file_id);
    const asked = Object.keys(profile).length > 0;
    const sent = asked ? await this.requests.send(changeMember, request, { member_id: row.id, ...profile }) : undefined;
    const current = sent === undefined ? row : await this.#follow(tx, principal, sent.membership);
    if (Object.keys(own).length > 0) {
      return this.#members.change(tx, principal, current, () => ({ event: 'updated', changes }));
    }
    if (sent?.changed !== true) return { row: current, changed: false };
    return this.#publish(tx, principal, current, 'updated', changes);
  }

  setRoles(request: ChangeRequest<MemberRoles>): Promise<Written<Member>> {
    const { roles } = request.body;
    return this.#change(request, { event: 'updated', fields: ['roles'] }, (member_id) =>
      this.requests.send(setMemberRoles, request, { member_id, roles }),
    );
  }

  suspend(request: ChangeRequest): Promise<Written<Member>> {
    return this.#change(request, { event: 'suspended' }, (member_id) =>
      this.requests.send(suspendMember, request, { member_id }),
    );
  }

  reinstate(request: ChangeRequest): Promise<Written<Member>> {
    return this.#change(request, { event: 'reinstated' }, (member_id) =>
      this.requests.send(reinstateMember, request, { member_id }),
    );
  }

  /**
   * Removes the member. Identity and the school erase the personal data; the id stays for the activity log.
   *
   * @throws `resource_in_use` for a member with a live subscription
   */
  remove(request: ChangeRequest): Promise<Written<Member>> {
    return this.#change(request, { event: 'removed' }, async (member_id) => {
      await this.subscriptions.requireNoneLive(request.principal, member_id, request.tx);
      return this.requests.send(removeMember, request, { member_id });
    });
  }

  republication(): Republication<typeof memberEvents> {
    return this.#members.republication();
  }

  /** Requests a change from identity, stores it, and publishes it with the operator as its actor. */
  async #change(
    request: ChangeRequest<unknown>,
    { event, fields = [] }: { readonly event: EventName; readonly fields?: readonly (keyof Member)[] },
    send: (memberId: string) => Promise<ChangedMembership>,
  ): Promise<Written<Member>> {
    const { id } = await this.#lock(request);
    const { membership, changed } = await send(id);
    const row = await this.#follow(request.tx, request.principal, membership);
    if (!changed) return { row, changed };
    const changes = Object.fromEntries(fields.map((field) => [field, row[field]])) as Partial<Member>;
    return this.#publish(request.tx, request.principal, row, event, changes);
  }

  /** Publishes what identity has changed, which is no edit of the member. */
  #publish(tx: EntityManager, caller: Caller, row: Member, event: EventName, changes: Partial<Member>) {
    return this.#members.change(tx, caller, row, () => ({ event, changes, keepsTag: true }));
  }

  /** Locks the member, so that the event of identity is applied after the response. */
  async #lock({ principal, tx, id, ...conditions }: ChangeRequest<unknown>): Promise<Member> {
    requireAdministrator(principal, 'change its members');
    const row = await this.#members.lock(tx, principal, id);
    this.#members.requireMatch(row, conditions);
    return row;
  }

  async #follow(tx: EntityManager, caller: Caller, membership: Membership): Promise<Member> {
    await this.memberships.follow(tx, membership);
    return this.#members.lock(tx, caller, membership.member_id);
  }

  /** Runs before the request to identity, whose change would outlast a later refusal. @throws `already_exists` */
  async #requireFree(tx: EntityManager, caller: Caller, external_id: string | null): Promise<void> {
    if (external_id === null) return;
    await this.memberships.reserve(tx, caller, external_id);
    const known = await this.#members.findLocked(tx, caller, { external_id });
    if (known === undefined) return;
    throw new ApiError('already_exists', 'Another member of this site has this external id', {
      errors: [{ pointer: '/external_id', code: 'already_exists', detail: 'Taken by another member', id: known.id }],
    });
  }
}
