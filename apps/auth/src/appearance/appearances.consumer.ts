import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { appearanceEvents } from '@lyceum/contracts';
import { EventConsumers } from '@lyceum/messaging';
import { AppearancesRepository } from './appearances.repository.js';

/** Keeps what pages show of how each site looks. Pages follow within seconds, as with every change of a site. */
@Injectable()
export class AppearancesConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly appearances: AppearancesRepository,
  ) {}

  onModuleInit(): void {
    this.consumers.register({
      name: 'appearances',
      stream: 'SCHOOL',
      events: [appearanceEvents],
      handle: ({ data, aggregate_version: version }, manager) =>
        this.appearances.save(manager, data.site_id, { ...data, version }),
    });
  }
}
