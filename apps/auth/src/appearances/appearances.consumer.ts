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
    const { site_id, theme, logo_path, favicon_path } = data;
    const pictures = { logo_url: logo_path ?? data.logo_url, favicon_url: favicon_path ?? data.favicon_url };
    await this.appearances.save(tx, site_id, { theme, ...pictures, epoch, version });
  }
}
