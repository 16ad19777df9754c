import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

interface ProductKey {
  readonly site_id: string;
  readonly id: string;
}

@Injectable()
export class DigitalProductRepository {
  /** Adds sales to a locked product, or takes them back. `updated_at` and the version stay: it is no edit. */
  async count(tx: EntityManager, { site_id, id }: ProductKey, sales: number): Promise<void> {
    const text = 'update digital_products set sold_count = sold_count + $3 where site_id = $1 and id = $2';
    await tx.query(text, [site_id, id, sales]);
  }
}
