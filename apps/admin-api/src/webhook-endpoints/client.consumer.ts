import { clientEvents } from '@lyceum/contracts';
import { ConsumesEach } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { WebhookEndpointService } from './webhook-endpoint.service.js';

type ClientEvent = EventOf<readonly [typeof clientEvents]>;

/** Pauses the endpoints of deleted clients. A revoked token of a client changes none. */
@Injectable()
export class ClientConsumer {
  constructor(private readonly endpoints: WebhookEndpointService) {}

  @ConsumesEach(clientEvents, 'clients')
  async handle({ data }: ClientEvent, tx: EntityManager): Promise<void> {
    if (data.state === 'deleted') await this.endpoints.followDeletedClient(tx, data);
  }
}
