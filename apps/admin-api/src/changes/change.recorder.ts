import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import { ChangeRepository } from './change.repository.js';
import { publicEventOf } from './public-event-mappings.js';
import { PublicEventSubscriber } from './public-event-subscriber.js';

/** Records the public ones of internal events, and passes them to the subscriber in the same transaction. */
@Injectable()
export class ChangeRecorder {
  constructor(
    private readonly changes: ChangeRepository,
    private readonly subscriber: PublicEventSubscriber,
  ) {}

  async record(events: readonly DomainEvent[], tx: EntityManager): Promise<void> {
    const recorded = events.map(publicEventOf).filter((event) => event !== undefined);
    if (recorded.length === 0) return;
    await this.changes.record(tx, recorded);
    await this.subscriber.accept(
      tx,
      recorded.map(({ course_id: _fence, ...event }) => event),
    );
  }
}
