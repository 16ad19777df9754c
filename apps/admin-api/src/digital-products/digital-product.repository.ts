import type { OfSite } from '@lyceum/contracts';
import { preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TIME_ZONE } from '#src/school/school.statements.js';
import type { DigitalProduct } from './digital-product.entity.js';

/** The terms of a sale, with the product. */
export interface DigitalSaleTerms extends Pick<DigitalProduct, 'id' | 'state' | 'access_days'> {
  /** IANA name of the zone of the school. */
  readonly time_zone: string;
}

const LOCK = {
  name: 'digital_products_lock',
  text: `select id, state, access_days, ${TIME_ZONE} as time_zone from digital_products
    where site_id = $1 and id = any($2::uuid[]) order by id for no key update`,
};

const COUNT = {
  name: 'digital_products_count',
  text: 'update digital_products set sold_count = sold_count + $3 where site_id = $1 and id = any($2::uuid[])',
};

@Injectable()
export class DigitalProductRepository {
  /** Locks products in the order of their ids. Returns the terms of those that exist. */
  lock(tx: EntityManager, { site_id }: OfSite, ids: readonly string[]): Promise<DigitalSaleTerms[]> {
    return preparedQuery(tx, LOCK, [site_id, ids]);
  }

  /** Adds sales to each locked product, or takes them back. `updated_at` and the version stay: it is no edit. */
  async count(tx: EntityManager, { site_id }: OfSite, ids: readonly string[], sales: number): Promise<void> {
    await preparedQuery(tx, COUNT, [site_id, ids, sales]);
  }
}
