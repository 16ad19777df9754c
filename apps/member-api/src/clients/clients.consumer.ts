import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { EventConsumers } from '@lyceum/messaging';
import { ClientsCopy } from './clients.copy.js';

/** Keeps the read model of clients. */
@Injectable()
export class ClientsConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly copy: ClientsCopy,
  ) {}

  onModuleInit(): void {
    this.consumers.keep(this.copy);
  }
}
