import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { siteEvents } from '@lyceum/contracts';
import { EventConsumers } from '@lyceum/messaging';
import { SchoolsRepository } from './schools.repository.js';

/** Copies the sites of identity. */
@Injectable()
export class SchoolsConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly schools: SchoolsRepository,
  ) {}

  onModuleInit(): void {
    this.consumers.register({
      name: 'schools',
      stream: 'IDENTITY',
      events: [siteEvents],
      handle: (event, manager) => this.schools.apply(manager, event.data, event.aggregate_version),
    });
  }
}
