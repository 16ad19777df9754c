import type { z } from 'zod';
import type { DigitalProduct } from './digital-product.repository.js';
import type { publicDigitalProduct } from './digital-product.schema.js';

export function viewPublicDigitalProduct(row: DigitalProduct): z.infer<typeof publicDigitalProduct> {
  const { price_amount_minor: amount_minor, price_currency: currency, compare_at_amount_minor: before } = row;
  return {
    price: { amount_minor, currency },
    compare_at_price: before === null ? null : { amount_minor: before, currency },
    access_days: row.access_days,
    files_count: row.files.length,
  };
}
