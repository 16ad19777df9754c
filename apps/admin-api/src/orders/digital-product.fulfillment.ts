import type { OfSite } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DigitalProductGrantService } from '#src/digital-product-grants/digital-product-grant.service.js';
import type { Fulfillment, Sale, Sold } from './fulfillment.js';
import { buyerOf } from './fulfillment.policy.js';

/** Gives a digital product, or prolongs the access of a student who has it. */
@Injectable()
export class DigitalProductFulfillment implements Fulfillment {
  readonly item_type = 'digital_product';
  readonly items = { table: 'digital_products', hasExternalId: true, parent: null, withdrawn: `state = 'archived'` };
  readonly countable = false;

  constructor(private readonly grants: DigitalProductGrantService) {}

  sell(site: OfSite, sales: readonly Sale[], tx: EntityManager): Promise<readonly string[]> {
    const products = sales.map(({ item_id }) => item_id);
    return this.grants.sell(site, buyerOf(sales), products, tx);
  }

  async takeBack(site: OfSite, { order_id, item_id }: Sold, tx: EntityManager): Promise<boolean> {
    await this.grants.takeBack(site, { order_id, digital_product_id: item_id }, tx);
    return true;
  }
}
