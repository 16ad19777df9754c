import { editable, fixed, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { externalId, metadata, name, slug } from '@lyceum/rest';
import { z } from 'zod';

const PAGE_STATES = ['draft', 'published', 'unpublished'] as const;
export type PageState = (typeof PAGE_STATES)[number];

const PAGE_TYPES = ['static_page'] as const;
export type PageType = (typeof PAGE_TYPES)[number];

const EXAMPLE = {
  id: '019ab3c0-bb60-7e7f-8081-5c6d7e8f9010',
  slug: 'about',
  title: 'About Harbour School',
  page_type: 'static_page',
  path_prefix: '/pages/about/',
  state: 'published',
  live_deployment_id: '019ab3c0-bb61-7f80-9192-6d7e8f901020',
  url: 'https://school.example.com/pages/about/',
  external_id: 'about',
  metadata: {},
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const page = resource('Page', {
  one: 'page',
  fields: {
    slug: editable(slug.meta({ description: 'Unique at the site: lower-case words and hyphens' })),
    title: editable(name(200).meta({ description: 'Title that operators and assistants read' })),
    page_type: fixed(z.enum(PAGE_TYPES).meta({ description: 'static_page: files of a zip file' }), 'static_page'),
    path_prefix: readOnly(z.string().meta({ description: 'Path of its files at the site' })),
    state: readOnly(z.enum(PAGE_STATES)),
    live_deployment_id: readOnly(
      z.uuid().nullable().meta({ description: 'Deployment that visitors see while the page is published' }),
    ),
    url: readOnly(
      z.url().meta({ description: 'Serves index.html of the live deployment while the page is published' }),
    ),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  sorts: ['-created_at', '-updated_at', 'slug'],
  ranges: ['created_at', 'updated_at'],
  filters: { state: z.enum(PAGE_STATES), external_id: externalId },
  examples: {
    object: EXAMPLE,
    create: { slug: EXAMPLE.slug, title: EXAMPLE.title },
    patch: { title: 'About us' },
  },
});
export type PageCreate = CreateOf<typeof page>;
export type PagePatch = PatchOf<typeof page>;
export type PageListQuery = ListQueryOf<typeof page>;
