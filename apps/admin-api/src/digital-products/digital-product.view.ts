import { money } from '@lyceum/rest';
import { z } from 'zod';
import type { DigitalProduct } from './digital-product.entity.js';

/** The public members of a product, besides those of all items of the catalog. */
export const publicDigitalProduct = z.object({
  price: money,
  compare_at_price: money.nullable().describe('The price before'),
  access_days: z.int().nullable().describe('null: for life'),
  files_count: z.int(),
});

export function viewPublicDigitalProduct({
  price,
  compare_at_price,
  access_days,
  files,
}: DigitalProduct): z.infer<typeof publicDigitalProduct> {
  return { price, compare_at_price, access_days, files_count: files.length };
}
