import type { z } from 'zod';
import { iso } from '@lyceum/rest';
import type { DigitalProductView, digitalProductList } from './digital-product.api.schema.js';
import type { DigitalProduct, DigitalProductSummary } from './digital-product.repository.js';
import type { publicDigitalProduct } from './digital-product.schema.js';

function prices(row: DigitalProductSummary) {
  const { price_amount_minor: amount_minor, price_currency: currency, compare_at_amount_minor: before } = row;
  return {
    price: { amount_minor, currency },
    compare_at_price: before === null ? null : { amount_minor: before, currency },
  };
}

export function viewPublicDigitalProduct(row: DigitalProduct): z.infer<typeof publicDigitalProduct> {
  return { ...prices(row), access_days: row.access_days, files_count: row.files.length };
}

/** Where the bytes are is nobody's to see: a download leads there after its checks. */
export function viewDigitalProductSummary(
  row: DigitalProductSummary,
): z.infer<typeof digitalProductList>['data'][number] {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    image_url: row.image_url,
    state: row.state,
    ...prices(row),
    download_limit: row.download_limit,
    access_days: row.access_days,
    files: row.files.map(({ storage_url: _url, ...file }) => file),
    tags: [...row.tags],
    published_at: iso(row.published_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export function viewDigitalProduct(row: DigitalProduct): DigitalProductView {
  return { ...viewDigitalProductSummary(row), description_html: row.description_html };
}
