import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { EventConsumers } from '@lyceum/messaging';
import { EventRegistrationsCopy } from './event-registrations.copy.js';

/** Copies the events of the school, and who is registered for them. */
@Injectable()
export class EventRegistrationsConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly copy: EventRegistrationsCopy,
  ) {}

  onModuleInit(): void {
    this.consumers.keep(this.copy);
  }
}
