import { z } from 'zod';
import { rangeFilters, fieldsParameter, instantOut, listQuery, pageOf } from '@lyceum/rest';

export const PAGE_STATES = ['draft', 'published', 'unpublished'] as const;

const EXAMPLE = {
  id: '019ab3c0-bb60-7e7f-8081-5c6d7e8f9010',
  slug: 'about',
  title: 'About the school',
  page_type: 'static_page',
  path_prefix: '/pages/about',
  state: 'published',
  live_deployment_id: '019ab3c0-bb61-7f80-9192-6d7e8f901020',
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const pageView = z
  .object({
    id: z.uuid(),
    slug: z.string().meta({ description: 'Unique at the site' }),
    title: z.string(),
    page_type: z.enum(['static_page']),
    path_prefix: z.string().meta({ description: 'Path of the page, below the base URL of the site' }),
    state: z.enum(PAGE_STATES),
    live_deployment_id: z.uuid().nullable(),
    created_at: instantOut,
    updated_at: instantOut,
  })
  .meta({ id: 'Page', examples: [EXAMPLE] });

const fields = Object.keys(pageView.shape) as [keyof typeof pageView.shape];

export const pageList = pageOf('PageList', pageView);

export const pageListQuery = listQuery({
  sorts: ['-created_at', 'created_at', 'slug', '-slug'],
  fields,
  filters: { state: z.enum(PAGE_STATES).optional(), ...rangeFilters(['created_at']) },
});
export type PageListQuery = z.infer<typeof pageListQuery>;

export const pageGetQuery = z.strictObject({ fields: fieldsParameter(fields) });
