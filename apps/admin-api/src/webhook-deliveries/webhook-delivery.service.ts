import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, Written } from '@lyceum/collections';
import { ApiError } from '@lyceum/errors';
import { copyOf } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { requireReadable } from '#src/webhook-endpoints/webhook-endpoint.policy.js';
import { WebhookEndpointService } from '#src/webhook-endpoints/webhook-endpoint.service.js';
import { MembershipService } from '#src/members/membership.service.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { OF_ENDPOINT } from './webhook-delivery.listing.js';
import { webhookDelivery as resource } from './webhook-delivery.schema.js';
import type { WebhookDeliveryCreate, WebhookDeliveryListQuery } from './webhook-delivery.schema.js';
import { WebhookErasureRepository } from './webhook-erasure.repository.js';
import { WebhookQueueRepository } from './webhook-queue.repository.js';

/** The log of deliveries. */
@Injectable()
export class WebhookDeliveryService {
  readonly #deliveries: SiteStore<WebhookDelivery, never>;

  constructor(
    stores: SiteStores,
    private readonly queues: WebhookQueueRepository,
    private readonly endpoints: WebhookEndpointService,
    erasures: WebhookErasureRepository,
    memberships: MembershipService,
  ) {
    this.#deliveries = stores.of({
      entity: WebhookDelivery,
      // Lists read no bodies.
      resource: copyOf(resource, { details: ['data', 'response_body'] }),
      fence: (caller) => {
        requireAdministrator(caller, 'see its webhook deliveries');
        return { condition: OF_ENDPOINT };
      },
    });
    memberships.erased.add((tx, person) => erasures.request(tx, person));
  }

  async list(caller: Caller, query: WebhookDeliveryListQuery): Promise<Page<WebhookDelivery>> {
    return this.#deliveries.list(caller, query);
  }

  async get(caller: Caller, id: string): Promise<WebhookDelivery> {
    return this.#deliveries.get(caller, id);
  }

  /** Sends a test to an endpoint. */
  async create(caller: Caller, input: WebhookDeliveryCreate, tx: EntityManager): Promise<Created<WebhookDelivery>> {
    const { endpoint_id } = input;
    if (!(await this.endpoints.requestDelivery(tx, caller, endpoint_id, 'tested'))) refuseEndpoint();
    const id = await this.queues.addTest(tx, caller, endpoint_id);
    return { row: await this.#deliveries.lock(tx, caller, id), changed: true, created: true };
  }

  /**
   * Sends a delivery again, with the same `webhook-id` and the attempts of a new one. A pending one stays as it is. The
   * URL may be another one since, so the caller must be able to read the event.
   *
   * @throws `insufficient_scope`
   */
  async redeliver(caller: Caller, key: Key, tx: EntityManager): Promise<Written<WebhookDelivery>> {
    const row = await this.#deliveries.lock(tx, caller, key.id);
    requireReadable([row.event_type], caller.scopes, 'Deliveries of this type');
    this.#deliveries.requireMatch(row, key);
    if (row.state === 'pending') return { row, changed: false };
    await this.endpoints.requestDelivery(tx, caller, row.endpoint_id, 'redelivered');
    await this.queues.restart(tx, row);
    return { row: await this.#deliveries.lock(tx, caller, key.id), changed: true };
  }
}

function refuseEndpoint(): never {
  throw new ApiError('validation_failed', 'This site has no such webhook endpoint', {
    errors: [{ pointer: '/endpoint_id', code: 'not_found', detail: 'No webhook endpoint of this site' }],
  });
}
