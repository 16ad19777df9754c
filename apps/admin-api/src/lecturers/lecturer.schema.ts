import { readOnly, resource } from '@lyceum/collections';
import type { ListQueryOf } from '@lyceum/collections';
import { email, html, httpsUrl, name, slug, text } from '@lyceum/rest';
import { z } from 'zod';

const EXAMPLE = {
  id: '019ab3c0-ab40-7c5d-8e6f-3a4b5c6d7e80',
  slug: 'mei-lin',
  name: 'Mei Lin',
  title: 'Painter',
  bio_html: '<p>Has painted for twenty years.</p>',
  avatar_url: null,
  email: 'mei@example.com',
  member_id: null,
  social_links: [],
  position: 0,
  visible: true,
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const lecturer = resource('Lecturer', {
  one: 'lecturer',
  fields: {
    slug: readOnly(z.string()),
    name: readOnly(z.string()),
    title: readOnly(z.string().nullable().meta({ description: 'Profession in a few words' })),
    bio_html: readOnly(z.string().nullable()),
    avatar_url: readOnly(z.string().nullable()),
    email: readOnly(z.string().nullable()),
    member_id: readOnly(z.uuid().nullable().meta({ description: '`sub` of the tokens of a lecturer with an account' })),
    social_links: readOnly(z.array(z.object({ network: z.string(), url: z.string() }))),
    position: readOnly(z.int()),
    visible: readOnly(z.boolean()),
  },
  details: ['bio_html'],
  sorts: ['-created_at', '-updated_at', 'name'],
  ranges: ['created_at', 'updated_at'],
  filters: { visible: z.boolean() },
  search: { text: 'name', in: 'name' },
  examples: { object: EXAMPLE },
});
export type LecturerListQuery = ListQueryOf<typeof lecturer>;

/** A lecturer in a declaration. */
export const lecturerDeclaration = z.strictObject({
  slug,
  name: name(200),
  title: text(200).nullable().default(null),
  bio_html: html(20_000).nullable().default(null),
  avatar_url: httpsUrl.nullable().default(null),
  email: email.nullable().default(null),
  social_links: z
    .array(z.strictObject({ network: text(50), url: httpsUrl }))
    .max(10)
    .default([]),
  position: z.int().min(0).max(10_000).default(0),
  visible: z.boolean().default(false),
});
export type LecturerDeclaration = z.infer<typeof lecturerDeclaration>;
