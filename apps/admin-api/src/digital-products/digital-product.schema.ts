import { editable, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import {
  currency,
  externalId,
  html,
  httpsUrl,
  idIn,
  instantOut,
  metadata,
  moneyIn,
  name,
  slug,
  tag,
  tags,
} from '@lyceum/rest';
import { z } from 'zod';
import { PUBLICATION_STATES } from '#src/publication/publication.policy.js';
import { DIGITAL_PRODUCT_TEXT } from './digital-product.listing.js';

const MAX_FILES = 100;
/** Ten years. */
const MAX_ACCESS_DAYS = 3650;

const EXAMPLE = {
  id: '019ab3c0-9b20-7a3b-8c4d-1e2f3a4b5c60',
  slug: 'workbook',
  name: 'Workbook',
  description_html: '<p>Exercises in seamanship, to print.</p>',
  image_url: null,
  image_file_id: null,
  state: 'published',
  price: { amount_minor: 45_000, currency: 'TWD' },
  compare_at_price: { amount_minor: 60_000, currency: 'TWD' },
  download_limit: 10,
  access_days: null,
  files: [
    {
      file_id: '019ab3c0-9b21-7d10-a5f6-7c8d9e0f1a20',
      name: 'harbour-workbook.pdf',
      content_type: 'application/pdf',
      size_bytes: 81_920,
    },
  ],
  sold_count: 12,
  tags: ['exercises'],
  external_id: 'workbook',
  metadata: {},
  published_at: '2026-11-20T08:00:00.000Z',
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const price = moneyIn.extend({ currency: currency.meta({ description: 'ISO 4217' }) });
const IMAGE_FILE = { description: 'A file of the purpose image that is ready; its public address is the `image_url`' };
const FILES = { description: 'Files that buyers download, in this order' };

const file = z.strictObject({
  file_id: idIn.meta({ description: 'A file of the purpose attachment that is ready' }),
});
const shownFile = z.object({
  file_id: z.uuid(),
  name: z.string(),
  content_type: z.string(),
  size_bytes: z.int().min(0),
});

export const digitalProduct = resource('DigitalProduct', {
  one: 'digital product',
  fields: {
    slug: editable(slug.meta({ description: 'Unique at the site: lower-case words and hyphens' })),
    name: editable(name(200).meta({ description: 'Name that visitors read' })),
    description_html: editable(html(100_000).nullable(), null),
    image_url: editable(httpsUrl.nullable().meta({ description: 'Picture of the product: an https URL' }), null),
    image_file_id: editable(idIn.nullable().meta(IMAGE_FILE), null),
    state: readOnly(z.enum(PUBLICATION_STATES)),
    price: editable(price.meta({ description: 'In the currency of the school, if it has set one' })),
    compare_at_price: editable(
      moneyIn.nullable().meta({ description: 'The price before: above the price, in the same currency' }),
      null,
    ),
    download_limit: editable(
      z.int().min(1).max(1000).nullable().meta({
        description: 'Downloads that each purchase allows, all files together; null: no limit',
      }),
      null,
    ),
    access_days: editable(
      z
        .int()
        .min(1)
        .max(MAX_ACCESS_DAYS)
        .nullable()
        .meta({ description: 'Days of access from the purchase; null: for life' }),
      null,
    ),
    files: editable(
      z
        .array(file)
        .max(MAX_FILES)
        .refine((list) => new Set(list.map(({ file_id }) => file_id)).size === list.length, 'A file occurs twice')
        .meta(FILES),
      [],
    ),
    sold_count: readOnly(z.int().min(0).meta({ description: 'Sales by orders, without refunded ones' })),
    tags: editable(tags.meta({ description: 'Words by which operators group products' }), []),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
    published_at: readOnly(instantOut.nullable().meta({ description: 'First publication' })),
  },
  object: { files: z.array(shownFile).meta(FILES) },
  details: ['description_html'],
  sorts: ['-created_at', '-updated_at', 'name'],
  ranges: ['created_at', 'updated_at'],
  filters: { state: z.enum(PUBLICATION_STATES), external_id: externalId, tag },
  search: { text: DIGITAL_PRODUCT_TEXT, in: 'name or slug' },
  examples: {
    object: EXAMPLE,
    create: {
      slug: EXAMPLE.slug,
      name: EXAMPLE.name,
      price: EXAMPLE.price,
      files: [{ file_id: EXAMPLE.files[0].file_id }],
    },
    patch: { price: { amount_minor: 40_000 }, compare_at_price: EXAMPLE.compare_at_price },
  },
});
export type DigitalProductCreate = CreateOf<typeof digitalProduct>;
export type DigitalProductPatch = PatchOf<typeof digitalProduct>;
export type DigitalProductListQuery = ListQueryOf<typeof digitalProduct>;
