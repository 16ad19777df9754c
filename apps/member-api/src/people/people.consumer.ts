import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { EventConsumers } from '@lyceum/messaging';
import { PeopleCopy } from './people.copy.js';

/** Copies people and their roles from identity. */
@Injectable()
export class PeopleConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly copy: PeopleCopy,
  ) {}

  onModuleInit(): void {
    this.consumers.keep(this.copy);
  }
}
