import { readOnly, resource } from '@lyceum/collections';
import type { ListQueryOf } from '@lyceum/collections';
import { multiline, slug, text } from '@lyceum/rest';
import { z } from 'zod';

const PAGE_STATES = ['draft', 'published', 'unpublished'] as const;
export type PageState = (typeof PAGE_STATES)[number];

const PAGE_TYPES = ['static_page'] as const;
export type PageType = (typeof PAGE_TYPES)[number];

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

export const page = resource('Page', {
  one: 'page',
  fields: {
    slug: readOnly(z.string().meta({ description: 'Unique at the site' })),
    title: readOnly(z.string()),
    page_type: readOnly(z.enum(PAGE_TYPES)),
    path_prefix: readOnly(z.string().meta({ description: 'Path of the page, below the base URL of the site' })),
    state: readOnly(z.enum(PAGE_STATES)),
    live_deployment_id: readOnly(z.uuid().nullable()),
  },
  sorts: ['-created_at', '-updated_at', 'slug'],
  ranges: ['created_at', 'updated_at'],
  filters: { state: z.enum(PAGE_STATES) },
  examples: { object: EXAMPLE },
});
export type PageListQuery = ListQueryOf<typeof page>;

/** A page in a declaration. */
export const pageDeclaration = z.strictObject({
  slug,
  title: text(200),
  state: z.enum(['published', 'draft']).default('draft'),
  /** Of its index.html, which becomes the first deployment. */
  content_html: multiline(200_000),
});
export type PageDeclaration = z.infer<typeof pageDeclaration>;
