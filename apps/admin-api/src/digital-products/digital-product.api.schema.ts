import { z } from 'zod';
import { rangeFilters, fieldsParameter, instantOut, listQuery, money, pageOf, searchText } from '@lyceum/rest';

export const PRODUCT_STATES = ['draft', 'published', 'unpublished', 'archived'] as const;

const summary = z
  .object({
    id: z.uuid(),
    slug: z.string().meta({ description: 'Unique at the site' }),
    name: z.string(),
    image_url: z.string().nullable(),
    state: z.enum(PRODUCT_STATES),
    price: money,
    compare_at_price: money.nullable(),
    download_limit: z.int().nullable().meta({ description: 'null: without limit' }),
    access_days: z.int().nullable().meta({ description: 'null: for life' }),
    files: z.array(z.object({ file_id: z.uuid(), name: z.string(), content_type: z.string(), size_bytes: z.int() })),
    tags: z.array(z.string()),
    published_at: instantOut.nullable(),
    created_at: instantOut,
    updated_at: instantOut,
  })
  .meta({ id: 'DigitalProductSummary' });

const EXAMPLE = {
  id: '019ab3c0-9b20-7a3b-8c4d-1e2f3a4b5c60',
  slug: 'workbook',
  name: 'Workbook',
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
  description_html: '<p>Exercises to print.</p>',
} as const;

export const digitalProductView = summary
  .extend({ description_html: z.string().nullable() })
  .meta({ id: 'DigitalProduct', examples: [EXAMPLE] });
export type DigitalProductView = z.infer<typeof digitalProductView>;

export const digitalProductList = pageOf('DigitalProductList', summary);

export const digitalProductListQuery = listQuery({
  sorts: ['-created_at', 'created_at', 'name', '-name'],
  fields: Object.keys(summary.shape) as [keyof typeof summary.shape],
  filters: {
    state: z.enum(PRODUCT_STATES).optional(),
    q: searchText.optional().meta({ description: 'Words that all occur in the name or slug' }),
    ...rangeFilters(['created_at']),
  },
});
export type DigitalProductListQuery = z.infer<typeof digitalProductListQuery>;

export const digitalProductGetQuery = z.strictObject({
  fields: fieldsParameter(Object.keys(digitalProductView.shape) as [keyof typeof digitalProductView.shape]),
});
