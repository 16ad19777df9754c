import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { digitalProductEvents, digitalProductGrantEvents } from '@lyceum/contracts';
import { EventConsumers } from '@lyceum/messaging';
import { DigitalProductsRepository } from './digital-products.repository.js';

/** Copies digital products, and who has them, from the school. */
@Injectable()
export class DigitalProductsConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly products: DigitalProductsRepository,
  ) {}

  onModuleInit(): void {
    this.consumers.register({
      name: 'digital-products',
      stream: 'SCHOOL',
      events: [digitalProductEvents],
      handle: ({ data, aggregate_version }, manager) => this.products.applyProduct(manager, data, aggregate_version),
    });
    this.consumers.register({
      name: 'digital-product-grants',
      stream: 'SCHOOL',
      events: [digitalProductGrantEvents],
      handle: async ({ data, aggregate_version }, manager) => {
        const { person_id } = data;
        // Comes once more, as `linked`, when the person is known.
        if (person_id !== null) await this.products.applyGrant(manager, { ...data, person_id }, aggregate_version);
      },
    });
  }
}
