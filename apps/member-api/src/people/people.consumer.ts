import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { personEvents, roleEvents } from '@lyceum/contracts';
import { EventConsumers } from '@lyceum/messaging';
import { PeopleRepository } from './people.repository.js';

/** Copies people and their roles from identity. */
@Injectable()
export class PeopleConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly people: PeopleRepository,
  ) {}

  onModuleInit(): void {
    this.consumers.register({
      name: 'people',
      stream: 'IDENTITY',
      events: [personEvents],
      handle: (event, manager) => this.people.applyPerson(manager, event.data, event.aggregate_version),
    });
    this.consumers.register({
      name: 'roles',
      stream: 'IDENTITY',
      events: [roleEvents],
      handle: (event, manager) => this.people.applyRole(manager, event.data, event.aggregate_version),
    });
  }
}
