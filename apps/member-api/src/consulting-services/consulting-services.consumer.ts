import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { EventConsumers } from '@lyceum/messaging';
import { ConsultingServicesCopy } from './consulting-services.copy.js';

/** Copies consulting services, the sessions that people have of them, and what they booked, from the school. */
@Injectable()
export class ConsultingServicesConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly copy: ConsultingServicesCopy,
  ) {}

  onModuleInit(): void {
    this.consumers.keep(this.copy);
  }
}
