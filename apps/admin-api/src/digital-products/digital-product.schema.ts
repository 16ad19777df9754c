import { readOnly, resource } from '@lyceum/collections';
import type { ListQueryOf } from '@lyceum/collections';
import { amount, html, httpsUrl, instantOut, money, moneyIn, name, slug, tags, text } from '@lyceum/rest';
import { z } from 'zod';
import { DIGITAL_PRODUCT_TEXT } from './digital-product.listing.js';

export const PRODUCT_STATES = ['draft', 'published', 'unpublished', 'archived'] as const;
export type ProductState = (typeof PRODUCT_STATES)[number];

const EXAMPLE = {
  id: '019ab3c0-9b20-7a3b-8c4d-1e2f3a4b5c60',
  slug: 'workbook',
  name: 'Workbook',
  description_html: '<p>Exercises to print.</p>',
  image_url: null,
  state: 'published',
  price: { amount_minor: 45_000, currency: 'TWD' },
  compare_at_price: null,
  download_limit: 10,
  access_days: null,
  files: [
    {
      file_id: '019ab3c0-9b21-7d10-a5f6-7c8d9e0f1a20',
      name: 'workbook.pdf',
      content_type: 'application/pdf',
      size_bytes: 81_920,
    },
  ],
  tags: ['art'],
  published_at: '2026-11-20T08:00:00.000Z',
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const file = z.object({ file_id: z.uuid(), name: z.string(), content_type: z.string(), size_bytes: z.int() });

export const digitalProduct = resource('DigitalProduct', {
  one: 'digital product',
  fields: {
    slug: readOnly(z.string().meta({ description: 'Unique at the site' })),
    name: readOnly(z.string()),
    description_html: readOnly(z.string().nullable()),
    image_url: readOnly(z.string().nullable()),
    state: readOnly(z.enum(PRODUCT_STATES)),
    price: readOnly(money),
    compare_at_price: readOnly(money.nullable()),
    download_limit: readOnly(z.int().nullable().meta({ description: 'null: no limit' })),
    access_days: readOnly(z.int().nullable().meta({ description: 'null: for life' })),
    files: readOnly(z.array(file)),
    tags: readOnly(z.array(z.string())),
    published_at: readOnly(instantOut.nullable()),
  },
  details: ['description_html'],
  sorts: ['-created_at', '-updated_at', 'name'],
  ranges: ['created_at', 'updated_at'],
  filters: { state: z.enum(PRODUCT_STATES) },
  search: { text: DIGITAL_PRODUCT_TEXT, in: 'name or slug' },
  examples: { object: EXAMPLE },
});
export type DigitalProductListQuery = ListQueryOf<typeof digitalProduct>;

/** A product in a declaration. */
export const digitalProductDeclaration = z.strictObject({
  /** The members of a product that other declarations share. */
  id: z.uuid().optional(),
  slug,
  name: name(200),
  description_html: html(100_000).nullable().default(null),
  image_url: httpsUrl.nullable().default(null),
  state: z.enum(['published', 'draft']).default('draft'),
  price: moneyIn,
  compare_at_amount_minor: amount.nullable().default(null),
  download_limit: z.int().min(1).max(1_000).nullable().default(null),
  access_days: z.int().min(1).max(36_500).nullable().default(null),
  files: z
    .array(
      z.strictObject({
        ...file.shape,
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
