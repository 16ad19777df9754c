import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { EventConsumers } from '@lyceum/messaging';
import { DigitalProductsCopy } from './digital-products.copy.js';

/** Copies digital products, and who has them, from the school. */
@Injectable()
export class DigitalProductsConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly copy: DigitalProductsCopy,
  ) {}

  onModuleInit(): void {
    this.consumers.keep(this.copy);
  }
}
