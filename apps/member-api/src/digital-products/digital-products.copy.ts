import { Injectable } from '@nestjs/common';
import { digitalProductEvents, digitalProductGrantEvents } from '@lyceum/contracts';
import { copyPart } from '@lyceum/messaging';
import type { Copy } from '@lyceum/messaging';
import { DigitalProductsRepository } from './digital-products.repository.js';

/** Digital products, and who has them, as the school says. */
@Injectable()
export class DigitalProductsCopy implements Copy {
  readonly name = 'digital-products';
  readonly parts: Copy['parts'];

  constructor(products: DigitalProductsRepository) {
    this.parts = [
      copyPart({
        reader: 'digital-products',
        stream: 'SCHOOL',
        events: digitalProductEvents,
        table: 'digital_product',
        apply: ({ data, aggregate_version: version }, manager) => products.applyProduct(manager, data, version),
      }),
      copyPart({
        reader: 'digital-product-grants',
        stream: 'SCHOOL',
        events: digitalProductGrantEvents,
        table: 'digital_product_grant',
        apply: async ({ data, aggregate_version: version }, manager) => {
          const { person_id } = data;
          // Comes once more, as `linked`, when the person is known.
          if (person_id !== null) await products.applyGrant(manager, { ...data, person_id }, version);
        },
      }),
    ];
  }
}
