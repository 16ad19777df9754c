import { money } from '@lyceum/rest';
import type { Money } from '@lyceum/rest';
import { z } from 'zod';
import type { DigitalProduct } from './digital-product.entity.js';

/** The public members of a product, besides those of all items of the catalog. */
export const publicDigitalProduct = z.object({
  price: money,
  compare_at_price: money.nullable().describe('The price before'),
  access_days: z.int().nullable().describe('null: for life'),
  files_count: z.int(),
});

export function compareAtPrice({ compare_at_amount_minor, price }: DigitalProduct): Money | null {
  return compare_at_amount_minor === null ? null : { amount_minor: compare_at_amount_minor, currency: price.currency };
}

/** Without the storage URLs: a download leads there after its checks. */
export function publicFiles({ files }: DigitalProduct) {
  return files.map(({ storage_url: _url, ...file }) => file);
}

export function viewPublicDigitalProduct(row: DigitalProduct): z.infer<typeof publicDigitalProduct> {
  const { price, access_days, files } = row;
  return { price, compare_at_price: compareAtPrice(row), access_days, files_count: files.length };
}
