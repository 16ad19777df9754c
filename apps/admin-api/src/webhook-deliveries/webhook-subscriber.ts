import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PublicEventSubscriber } from '#src/changes/public-event-subscriber.js';
import type { PublicEvent } from '#src/changes/public-event.js';
import { WebhookQueueRepository } from './webhook-queue.repository.js';

/** Makes a delivery of each event for each enabled endpoint that asked for its type. */
@Injectable()
export class WebhookSubscriber extends PublicEventSubscriber {
  constructor(private readonly queues: WebhookQueueRepository) {
    super();
  }

  override accept(tx: EntityManager, events: readonly PublicEvent[]): Promise<void> {
    return events.length === 0 ? Promise.resolve() : this.queues.enqueue(tx, events);
  }
}
