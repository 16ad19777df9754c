import type { EntityManager } from 'typeorm';
import type { PublicEvent } from './public-event.js';

/** Receives public events in the transaction that records them. */
export abstract class PublicEventSubscriber {
  abstract accept(tx: EntityManager, events: readonly PublicEvent[]): Promise<void>;
}
