import { editable, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { ATTACHMENT_KINDS, CURRICULUM_LIMITS, LECTURE_STATES, LECTURE_TYPES } from '@lyceum/contracts';
import { externalId, html, httpsUrl, idIn, instantOut, metadata, name, slug } from '@lyceum/rest';
import { z } from 'zod';
import { objectUrl } from '#src/urls/object-url.js';
import { attachmentFault } from './attachment.policy.js';

const MAX_ATTACHMENTS = 20;
/** A hundred hours. */
const MAX_SECONDS = 360_000;

const DOWNLOADABLE = { description: 'Players offer it as a file to keep' };
const FILE = { description: 'A file of the purpose attachment that is ready; it has a type of the kind' };

const attachment = z
  .strictObject({
    title: name(CURRICULUM_LIMITS.titleLength),
    kind: z.enum(ATTACHMENT_KINDS),
    url: httpsUrl.nullable().default(null).meta({ description: 'Address of a file elsewhere, in place of `file_id`' }),
    file_id: idIn.nullable().default(null).meta(FILE),
    downloadable: z.boolean().default(false).meta(DOWNLOADABLE),
  })
  .check(({ value, issues }) => {
    const fault = attachmentFault(value);
    if (fault) issues.push({ code: 'custom', input: value, path: [fault.member], message: fault.detail });
  });

const shownAttachment = z.object({
  title: z.string(),
  kind: z.enum(ATTACHMENT_KINDS),
  url: z.string().nullable(),
  file_id: z.uuid().nullable(),
  download_url: z
    .url()
    .nullable()
    .meta({ description: 'Link to the file, valid for at least an hour; null with `url`' }),
  downloadable: z.boolean().meta(DOWNLOADABLE),
});

const ATTACHMENTS = { description: 'Files and links beside the lecture, each with either `url` or `file_id`' };

const EXAMPLE = {
  id: '019ab3c0-9c22-7b3d-8e4f-5a6b7c8d9e0f',
  course_id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90',
  section_id: '019ab3c0-9b11-7a2c-8d3e-4f5a6b7c8d9e',
  slug: 'the-sky-as-a-map',
  title: 'The sky as a map',
  position: 1,
  lecture_type: 'video',
  state: 'published',
  free_preview: true,
  duration_seconds: 540,
  content_html:
    '<p>Each star stands above one place on Earth. Its height over your horizon is your distance from that place.</p>',
  attachments: [
    {
      title: 'Worksheet',
      kind: 'pdf',
      url: null,
      file_id: '019ab3c0-de90-7a01-9c3d-4e5f60718293',
      download_url: 'https://files.example.com/files/019ab3c0?X-Amz-Signature=5d8a',
      downloadable: true,
    },
  ],
  external_id: 'celestial-navigation-the-sky-as-a-map',
  metadata: {},
  url: 'https://www.example.com/courses/celestial-navigation/the-sky-as-a-map',
  published_at: '2026-11-20T08:00:00.000Z',
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const lecture = resource('Lecture', {
  one: 'lecture',
  fields: {
    course_id: readOnly(z.uuid()),
    section_id: editable(
      idIn.meta({ description: 'Section of the course; a lecture that moves becomes its last one' }),
    ),
    slug: editable(slug.meta({ description: 'Unique in the course, in the address of the lecture' })),
    title: editable(name(CURRICULUM_LIMITS.titleLength).meta({ description: 'Title that members read' })),
    position: readOnly(
      z.int().min(0).meta({ description: 'Place in the section; `PUT …/curriculum/order` changes it' }),
    ),
    lecture_type: editable(z.enum(LECTURE_TYPES).meta({ description: 'Main content of the lecture' }), 'video'),
    state: readOnly(z.enum(LECTURE_STATES)),
    free_preview: editable(z.boolean().meta({ description: 'Open to everyone before they enroll' }), false),
    duration_seconds: editable(z.int().min(0).max(MAX_SECONDS).meta({ description: 'Length; 0: unknown' }), 0),
    content_html: editable(html(100_000).nullable(), null),
    attachments: editable(z.array(attachment).max(MAX_ATTACHMENTS).meta(ATTACHMENTS), []),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
    published_at: readOnly(instantOut.nullable().meta({ description: 'First publication' })),
  },
  create: {
    state: z
      .enum(LECTURE_STATES)
      .default('draft')
      .meta({ description: '`published`: members see the lecture at once. It holds for a new lecture only.' }),
  },
  object: { url: objectUrl, attachments: z.array(shownAttachment).meta(ATTACHMENTS) },
  details: ['content_html'],
  sorts: ['-created_at', '-updated_at', 'position'],
  ranges: ['created_at', 'updated_at'],
  filters: { course_id: idIn, section_id: idIn, slug, state: z.enum(LECTURE_STATES), external_id: externalId },
  search: { text: `(title || ' ' || slug)`, in: 'title or slug' },
  examples: {
    object: EXAMPLE,
    create: { section_id: EXAMPLE.section_id, slug: EXAMPLE.slug, title: EXAMPLE.title },
    patch: { free_preview: false, content_html: null },
  },
});
export type LectureCreate = CreateOf<typeof lecture>;
export type LecturePatch = PatchOf<typeof lecture>;
export type LectureListQuery = ListQueryOf<typeof lecture>;
