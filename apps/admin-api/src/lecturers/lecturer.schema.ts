import { editable, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { email, externalId, html, httpsUrl, idIn, metadata, name, slug, text } from '@lyceum/rest';
import { z } from 'zod';
import { objectUrl } from '#src/urls/object-url.js';

const EXAMPLE = {
  id: '019ab3c0-ab40-7c5d-8e6f-3a4b5c6d7e80',
  slug: 'lecturer',
  name: 'Harbour School Lecturer',
  title: 'Teaches seamanship',
  bio_html: '<p>Has taught seamanship for twenty years.</p>',
  avatar_url: null,
  avatar_file_id: null,
  email: 'lecturer@harbour.example',
  member_id: null,
  social_links: [],
  position: 0,
  visible: true,
  external_id: null,
  metadata: {},
  url: 'https://www.example.com/teachers/lecturer',
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const AVATAR_FILE = {
  description: 'A file of the purpose image that is ready; its public address is the `avatar_url`',
};

const member = idIn.nullable().meta({
  description:
    '`sub` of the tokens of a lecturer with an account. Only owners and admins can set it, to a member who is owner, ' +
    'admin, lecturer or teaching assistant. While it is null, the member with a teaching role and the `email` of the ' +
    'lecturer is linked. Setting it to null unlinks the member until `email` or `member_id` changes.',
});

const socialLinks = z.array(z.strictObject({ network: text(50), url: httpsUrl })).max(10);

export const lecturer = resource('Lecturer', {
  one: 'lecturer',
  fields: {
    slug: editable(slug.meta({ description: 'Unique at the site: lower-case words and hyphens' })),
    name: editable(name(200).meta({ description: 'Name that visitors read' })),
    title: editable(text(200).nullable().meta({ description: 'Profession in a few words' }), null),
    bio_html: editable(html(20_000).nullable(), null),
    avatar_url: editable(
      httpsUrl.nullable().meta({ description: 'Picture of the lecturer: an https URL, or that of the file' }),
      null,
    ),
    avatar_file_id: editable(idIn.nullable().meta(AVATAR_FILE), null),
    email: editable(
      email
        .nullable()
        .meta({ description: 'For operators; visitors do not see it. Only owners and admins can change it' }),
      null,
    ),
    member_id: editable(member, null),
    social_links: editable(socialLinks.meta({ description: 'Pages of the lecturer elsewhere' }), []),
    position: editable(z.int().min(0).max(10_000).meta({ description: 'Place among the lecturers' }), 0),
    visible: editable(z.boolean().meta({ description: 'Shown to visitors' }), false),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  object: { url: objectUrl },
  details: ['bio_html'],
  sorts: ['-created_at', '-updated_at', 'name', 'position'],
  ranges: ['created_at', 'updated_at'],
  filters: { slug, visible: z.boolean(), external_id: externalId },
  search: { text: 'name', in: 'name' },
  examples: {
    object: EXAMPLE,
    create: { slug: EXAMPLE.slug, name: EXAMPLE.name, email: EXAMPLE.email },
    patch: { title: EXAMPLE.title, visible: true },
  },
});
export type LecturerCreate = CreateOf<typeof lecturer>;
export type LecturerPatch = PatchOf<typeof lecturer>;
export type LecturerListQuery = ListQueryOf<typeof lecturer>;

/** A lecturer in a row of a file. A member and a file have ids of this site. */
export const lecturerRow = lecturer.create.omit({ avatar_file_id: true, member_id: true });
export type LecturerRow = z.infer<typeof lecturerRow>;

/** A lecturer in a declaration. */
export const lecturerDeclaration = lecturerRow.omit({ external_id: true, metadata: true });
export type LecturerDeclaration = z.infer<typeof lecturerDeclaration>;
