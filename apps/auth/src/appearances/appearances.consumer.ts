import { Injectable } from '@nestjs/common';
import { appearanceEvents } from '@lyceum/contracts';
import { ConsumesEach } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { AppearancesRepository } from './appearances.repository.js';

type AppearanceEvent = EventOf<[typeof appearanceEvents]>;

/** Stores the appearance of each site. Pages follow within seconds. */
@Injectable()
export class AppearancesConsumer {
  constructor(private readonly appearances: AppearancesRepository) {}

  @ConsumesEach(appearanceEvents, 'appearances')
  async save({ data, epoch, aggregate_version: version }: AppearanceEvent, tx: EntityManager): Promise<void> {
    await this.appearances.save(tx, data.site_id, { ...data, epoch, version });
  }
}
