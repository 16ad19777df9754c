import { z } from 'zod';
import { amount, httpsUrl, money, moneyIn, multiline, name, slug, tags, text } from '@lyceum/rest';

/** What a declaration says of a product. */
export const digitalProductDeclaration = z.strictObject({
  /** Of a product that other declarations name too. */
  id: z.uuid().optional(),
  slug,
  name: name(200),
  description_html: multiline(100_000).nullable().default(null),
  image_url: httpsUrl.nullable().default(null),
  state: z.enum(['published', 'draft']).default('draft'),
  price: moneyIn,
  compare_at_amount_minor: amount.nullable().default(null),
  download_limit: z.int().min(1).max(1_000).nullable().default(null),
  access_days: z.int().min(1).max(36_500).nullable().default(null),
  files: z
    .array(
      z.strictObject({
        file_id: z.uuid(),
        name: name(200),
        content_type: text(100),
        size_bytes: z.int().min(0),
        storage_url: z.url({ protocol: /^https?$/ }),
      }),
    )
    .max(100)
    .default([]),
  tags: tags.default([]),
});
export type DigitalProductDeclaration = z.infer<typeof digitalProductDeclaration>;

/** What everybody may read of a product, beside what all items of the catalogue have. */
export const publicDigitalProduct = z.object({
  price: money,
  compare_at_price: money.nullable().describe('What it cost before'),
  access_days: z.int().nullable().describe('null: for life'),
  files_count: z.int(),
});
