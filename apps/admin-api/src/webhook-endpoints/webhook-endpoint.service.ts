import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import { webhookEndpointEvents } from '@lyceum/contracts';
import type { Membership, Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { uuidv7 } from '@lyceum/platform';
import { ShownOnce, changedColumns } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { MembershipService } from '#src/members/membership.service.js';
import { openSecret, sealSecret } from './sealed-secret.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import {
  PREVIOUS_SECRET_MS,
  claimed,
  disabled,
  enabled,
  keepsEndpoints,
  paused,
  requireReadable,
  requireRoom,
  requireTarget,
} from './webhook-endpoint.policy.js';
import type { LostAccess } from './webhook-endpoint.policy.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';
import { webhookEndpoint as resource } from './webhook-endpoint.schema.js';
import type {
  WebhookEndpointCreate,
  WebhookEndpointListQuery,
  WebhookEndpointPatch,
} from './webhook-endpoint.schema.js';
import { newSecret } from './webhook-secret.policy.js';
import { WebhookSettings } from './webhook.settings.js';

type EndpointKey = Pick<WebhookEndpoint, 'site_id' | 'id'>;

/** An endpoint whose new secret the response shows. */
export type NewlyKeyed = WebhookEndpoint & { readonly secret?: ShownOnce | null };

/** Endpoints that one transaction of a consumer pauses. */
const PAUSED_TOGETHER = 100;

/** Owners and admins have endpoints. A paused or disabled one keeps what waits, and gets no further events. */
@Injectable()
export class WebhookEndpointService {
  readonly #endpoints: SiteStore<WebhookEndpoint, typeof webhookEndpointEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: WebhookEndpointRepository,
    private readonly settings: WebhookSettings,
    memberships: MembershipService,
  ) {
    this.#endpoints = stores.of({
      entity: WebhookEndpoint,
      resource,
      unique: { webhook_endpoints_external_id: 'external_id' },
      events: webhookEndpointEvents,
      data: ({ id, site_id, url, event_types, state, reason, created_by }, event) => ({
        webhook_endpoint_id: id,
        site_id,
        url,
        event_types: [...event_types],
        state: event === 'deleted' ? 'deleted' : state,
        reason,
        created_by,
      }),
    });
    memberships.followed.add((tx, membership) => this.#followMember(tx, membership));
  }

  async list(caller: Caller, query: WebhookEndpointListQuery): Promise<Page<WebhookEndpoint>> {
    requireAdministrator(caller, 'see its webhook endpoints');
    return this.#endpoints.list(caller, query);
  }

  async get(caller: Caller, id: string): Promise<WebhookEndpoint> {
    requireAdministrator(caller, 'see its webhook endpoints');
    return this.#endpoints.get(caller, id);
  }

  async create(
    caller: Principal,
    input: WebhookEndpointCreate,
    tx: EntityManager,
    shows: boolean,
  ): Promise<Created<NewlyKeyed>> {
    requireAdministrator(caller, 'create webhook endpoints');
    const { values, secret } = await this.#new(caller, input, tx);
    const made = await this.#endpoints.insert(tx, caller, values, 'created');
    await this.repository.addQueue(tx, made.row);
    return shows ? { ...made, row: Object.assign(made.row, { secret: new ShownOnce(secret) }) } : made;
  }

  async upsert({
    tx,
    principal,
    body,
    patch,
    write,
    ...key
  }: UpsertRequest<WebhookEndpointCreate, WebhookEndpointPatch>): Promise<Created<NewlyKeyed>> {
    requireAdministrator(principal, 'create webhook endpoints');
    const { values, secret } = await this.#new(principal, body, tx, { counts: false });
    const written = await this.#endpoints.upsert(tx, principal, key, {
      create: () => values,
      decide: (endpoint) => this.#updated(principal, endpoint, patch),
    });
    if (!written.created) return written;
    // The new endpoint counts.
    requireRoom((await this.repository.count(tx, principal)) - 1, this.settings.endpointsPerSite);
    await this.repository.addQueue(tx, written.row);
    const shown = write.dryRun ? null : new ShownOnce(secret);
    return { ...written, row: Object.assign(written.row, { secret: shown }) };
  }

  async patch(
    caller: Caller,
    key: Key,
    patch: WebhookEndpointPatch,
    tx: EntityManager,
  ): Promise<Written<WebhookEndpoint>> {
    requireAdministrator(caller, 'change webhook endpoints');
    return this.#endpoints.change(tx, caller, key, (endpoint) => this.#updated(caller, endpoint, patch));
  }

  async enable(caller: Caller, key: Key, tx: EntityManager): Promise<Written<WebhookEndpoint>> {
    requireAdministrator(caller, 'enable webhook endpoints');
    const written = await this.#endpoints.change(tx, caller, key, (endpoint) => move('enabled', enabled(endpoint)));
    if (written.changed) await this.repository.wake(tx, written.row);
    return written;
  }

  async disable(
    caller: Caller,
    key: Key,
    reason: 'requested' | 'gone' | 'failing',
    tx: EntityManager,
  ): Promise<Written<WebhookEndpoint>> {
    requireAdministrator(caller, 'disable webhook endpoints');
    const disable = (endpoint: WebhookEndpoint) => move('disabled', disabled(endpoint, reason));
    const written = await this.#endpoints.change(tx, caller, key, disable);
    if (written.changed) await this.repository.rest(tx, written.row);
    return written;
  }

  /** Gives the endpoint the rights of the caller, who must be able to read what it receives and what waits. */
  async claim(caller: Principal, key: Key, tx: EntityManager): Promise<Written<WebhookEndpoint>> {
    requireAdministrator(caller, 'claim webhook endpoints');
    await this.#requireStanding(tx, caller);
    const written = await this.#endpoints.change(tx, caller, key, (endpoint) => {
      requireReadable(endpoint.event_types, caller.scopes);
      return move('claimed', claimed(endpoint, caller));
    });
    if (written.changed) await this.#wakeFor(tx, caller, written.row);
    return written;
  }

  /** The previous secret signs for 24 hours. A second rotation within them ends the oldest secret at once. */
  async rotate(caller: Caller, key: Key, tx: EntityManager, shows: boolean): Promise<Written<NewlyKeyed>> {
    requireAdministrator(caller, 'rotate secrets of webhook endpoints');
    const secret = newSecret();
    const { row, changed } = await this.#endpoints.change(tx, caller, key, (endpoint) => ({
      event: 'secret_rotated',
      changes: {
        sealed_secret: sealSecret(this.settings, endpoint, secret),
        previous_sealed_secret: endpoint.sealed_secret,
        previous_secret_until: new Date(Date.now() + PREVIOUS_SECRET_MS),
      },
    }));
    return { row: Object.assign(row, { secret: shows ? new ShownOnce(secret) : null }), changed };
  }

  async remove(caller: Caller, key: Key, tx: EntityManager): Promise<Written<WebhookEndpoint>> {
    requireAdministrator(caller, 'delete webhook endpoints');
    return this.#endpoints.remove(tx, caller, key);
  }

  /**
   * Publishes that an operator requested a delivery, and makes it due. Returns false for an unknown endpoint.
   *
   * @throws `invalid_state` for an endpoint that is not enabled
   */
  async requestDelivery(
    tx: EntityManager,
    caller: Caller,
    id: string,
    event: 'tested' | 'redelivered',
  ): Promise<boolean> {
    requireAdministrator(caller, 'request deliveries of webhooks');
    const endpoint = await this.#endpoints.findLocked(tx, caller, { id });
    if (endpoint === undefined) return false;
    const { state } = endpoint;
    if (state !== 'enabled') throw new ApiError('invalid_state', `The webhook endpoint is ${state}`);
    await this.#endpoints.change(tx, caller, endpoint, () => ({ event, changes: {}, keepsTag: true }));
    await this.repository.makeDue(tx, endpoint);
    return true;
  }

  /** Locks the endpoint. */
  async isEnabled(tx: EntityManager, { site_id, id }: EndpointKey): Promise<boolean> {
    return (await this.#endpoints.findLocked(tx, { site_id }, { id }))?.state === 'enabled';
  }

  /** The secrets that sign at an instant, the newest first. */
  secretsOf(
    endpoint: EndpointKey & Pick<WebhookEndpoint, 'sealed_secret' | 'previous_sealed_secret' | 'previous_secret_until'>,
    at: Date,
  ): string[] {
    const { sealed_secret, previous_sealed_secret: previous, previous_secret_until: until } = endpoint;
    const sealed = previous !== null && until !== null && at < until ? [sealed_secret, previous] : [sealed_secret];
    return sealed.map((one) => openSecret(this.settings, endpoint, one));
  }

  /** Pauses endpoints of a deleted client, which belongs to one site or to all. */
  async followDeletedClient(tx: EntityManager, client: { site_id: string | null; client_id: string }): Promise<void> {
    for (;;) {
      const keys = await this.repository.ofClient(tx, client.site_id, client.client_id, PAUSED_TOGETHER);
      for (const key of keys) await this.#pause(tx, key, 'client_deleted');
      if (keys.length < PAUSED_TOGETHER) return;
    }
  }

  forgetPreviousSecrets(): Promise<void> {
    return this.repository.forgetPrevious();
  }

  republication(): Republication<typeof webhookEndpointEvents> {
    return this.#endpoints.republication();
  }

  async #followMember(tx: EntityManager, membership: Membership): Promise<void> {
    if (keepsEndpoints(membership)) return;
    const keys = await this.repository.ofCreator(tx, membership, membership.member_id);
    for (const key of keys) await this.#pause(tx, key, 'creator_lost_access');
  }

  async #pause(tx: EntityManager, { site_id, id }: EndpointKey, lost: LostAccess): Promise<void> {
    const pause = (endpoint: WebhookEndpoint) => move('paused', paused(endpoint, lost));
    const { row, changed } = await this.#endpoints.change(tx, { site_id }, { id }, pause);
    if (changed) await this.repository.rest(tx, row);
  }

  async #new(caller: Principal, input: WebhookEndpointCreate, tx: EntityManager, { counts } = { counts: true }) {
    requireTarget(input.url, this.settings);
    requireReadable(input.event_types, caller.scopes);
    await this.#requireStanding(tx, caller);
    if (counts) requireRoom(await this.repository.count(tx, caller), this.settings.endpointsPerSite);
    const { site_id, member_id: created_by, client_id } = caller;
    const id = uuidv7();
    const secret = newSecret();
    const sealed_secret = sealSecret(this.settings, { site_id, id }, secret);
    return { secret, values: { ...input, id, created_by, client_id, state: 'enabled' as const, sealed_secret } };
  }

  /**
   * Another URL sends elsewhere what waits, also of types from before, so it needs their scopes too. Earlier failures
   * and pauses of the receiver end.
   */
  #updated(caller: Caller, endpoint: WebhookEndpoint, patch: WebhookEndpointPatch) {
    const changes = changedColumns(endpoint, patch, resource);
    if (changes === undefined) return undefined;
    const { url = endpoint.url, event_types = endpoint.event_types } = changes;
    requireTarget(url, this.settings);
    const moves = 'url' in changes;
    if (moves) requireReadable([...endpoint.event_types, ...event_types], caller.scopes);
    else if ('event_types' in changes) requireReadable(event_types, caller.scopes);
    const after = (tx: EntityManager): Promise<void> => this.#wakeFor(tx, caller, endpoint);
    return { event: 'updated' as const, changes, ...(moves && { after }) };
  }

  /**
   * Wakes the endpoint if it is enabled. Its queue is then locked, so no event that waits is unseen.
   *
   * @throws `insufficient_scope` when the caller may not read what waits
   */
  async #wakeFor(tx: EntityManager, caller: Caller, endpoint: WebhookEndpoint): Promise<void> {
    if (endpoint.state === 'enabled') await this.repository.wake(tx, endpoint);
    const types = await this.repository.waitingTypes(tx, endpoint);
    requireReadable(types, caller.scopes, 'Deliveries that wait for the endpoint');
  }

  /** Roles of a token may be older than those of the events. @throws `forbidden` */
  async #requireStanding(tx: EntityManager, { member_id, ...site }: Principal): Promise<void> {
    const standing = await this.repository.standing(tx, site, member_id);
    if (standing !== undefined && !keepsEndpoints(standing))
      throw new ApiError('forbidden', 'Only owners and admins of the site can have webhook endpoints');
  }
}

function move<const Event extends string, Changes>(event: Event, changes: Changes | undefined) {
  return changes === undefined ? undefined : { event, changes };
}
