import { editable, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { externalId, metadata, name, slug, text } from '@lyceum/rest';
import { z } from 'zod';

const EXAMPLE = {
  id: '019ab3c0-bc70-7e8f-9a1b-2c3d4e5f6071',
  slug: 'navigation',
  name: 'Navigation',
  description: 'From the stars to the chart',
  position: 1,
  external_id: 'category-navigation',
  metadata: {},
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const category = resource('Category', {
  one: 'category',
  fields: {
    slug: editable(slug.meta({ description: 'Unique at the site: lower-case words and hyphens' })),
    name: editable(name(200).meta({ description: 'Name that visitors read' })),
    description: editable(text(1000).nullable().meta({ description: 'Text below the name' }), null),
    position: editable(z.int().min(0).max(10_000).meta({ description: 'Place among the categories' }), 0),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  sorts: ['position', 'name', '-created_at', '-updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: { slug, external_id: externalId },
  search: { text: `(name || ' ' || slug)`, in: 'name or slug' },
  examples: {
    object: EXAMPLE,
    create: { slug: EXAMPLE.slug, name: EXAMPLE.name },
    patch: { position: 2, description: null },
  },
});
export type CategoryCreate = CreateOf<typeof category>;
export type CategoryPatch = PatchOf<typeof category>;
export type CategoryListQuery = ListQueryOf<typeof category>;
