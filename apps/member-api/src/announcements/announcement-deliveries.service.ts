import { announcementDeliveryEvents } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import type { EndedFanOut } from '#src/fan-outs/fan-out.js';

const PREFIX = 'announcement:';

/** Returns the deduplication key of an announcement. */
export function occasionOf(announcement_id: string): string {
  return `${PREFIX}${announcement_id}`;
}

/** Publishes how many people an announcement reached. */
@Injectable()
export class AnnouncementDeliveriesService implements OnModuleInit {
  constructor(
    private readonly fanOuts: FanOutsService,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.fanOuts.onEnd((tx, fanOut) => this.#publish(tx, fanOut));
  }

  async #publish(tx: EntityManager, { site_id, occasion, recipients_count }: EndedFanOut): Promise<void> {
    if (!occasion.startsWith(PREFIX)) return;
    const announcement_id = occasion.slice(PREFIX.length);
    await this.outbox.add(tx, announcementDeliveryEvents, 'completed', {
      aggregate_id: announcement_id,
      // An announcement is sent once.
      aggregate_version: 1,
      site_id,
      data: { announcement_id, site_id, recipients_count, completed_at: new Date().toISOString() },
    });
  }
}
