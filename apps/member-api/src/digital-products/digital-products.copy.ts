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
        apply: (events, manager) => products.applyProducts(manager, events),
      }),
      copyPart({
        reader: 'digital-product-grants',
        stream: 'SCHOOL',
        events: digitalProductGrantEvents,
        table: 'digital_product_grant',
        apply: (events, manager) => products.applyGrants(manager, events),
      }),
    ];
  }
}
