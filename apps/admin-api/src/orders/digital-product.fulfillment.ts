import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DigitalProductGrantService } from '#src/digital-product-grants/digital-product-grant.service.js';
import type { Fulfillment, Sale, Site, Sold } from './fulfillment.js';
import { oneByOne } from './fulfillment.policy.js';

/** Gives a digital product, or prolongs the access of a student who has it. */
@Injectable()
export class DigitalProductFulfillment implements Fulfillment {
  readonly item_type = 'digital_product';
  readonly items = { table: 'digital_products', hasExternalId: true, parent: null };
  readonly countable = false;

  constructor(private readonly grants: DigitalProductGrantService) {}

  sell(site: Site, sales: readonly Sale[], tx: EntityManager): Promise<readonly string[]> {
    return oneByOne(sales, ({ item_id, order_id, student_id, at }) =>
      this.grants.sell(site, { digital_product_id: item_id, order_id, student_id, at }, tx),
    );
  }

  async takeBack(site: Site, { order_id, item_id }: Sold, tx: EntityManager): Promise<boolean> {
    await this.grants.takeBack(site, { order_id, digital_product_id: item_id }, tx);
    return true;
  }
}
