import { editable, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { externalId, html, httpsUrl, idIn, instantOut, metadata, name, slug, tag, tags, text } from '@lyceum/rest';
import { z } from 'zod';
import { category } from '#src/categories/category.schema.js';
import { objectUrl } from '#src/urls/object-url.js';
import { COURSE_TEXT } from './course.listing.js';
import { COURSE_STATES, COURSE_TYPES } from './course.policy.js';

export const COURSE_NAME_LENGTH = 200;

const seo = z.strictObject({
  title: text(70).nullable().default(null).meta({ description: 'Title in search results; null: the name' }),
  description: text(160).nullable().default(null).meta({ description: 'Text in search results; null: the subtitle' }),
});

/** Ids of other objects, each once. */
const ids = (one: string) =>
  z
    .array(idIn)
    .max(20)
    .refine((list) => new Set(list).size === list.length, `A ${one} occurs twice`);

const lecturerIds = ids('lecturer').meta({
  description: 'Lecturers who teach it, in the order of its page. Only owners and admins can set them.',
});

const categoryIds = ids('category').meta({ description: 'Categories that it belongs to, in its own order' });

const IMAGE_FILE = { description: 'A file of the purpose image that is ready; its public address is the `image_url`' };

const EXAMPLE = {
  id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90',
  slug: 'celestial-navigation',
  name: 'Celestial Navigation',
  subtitle: 'Find your place by the stars',
  description_html: '<p>Eight lectures about sun, stars and the sextant.</p>',
  image_url: 'https://cdn.example.com/celestial-navigation.jpg',
  image_file_id: null,
  course_type: 'paid',
  state: 'published',
  featured: true,
  hidden: false,
  tags: ['stars', 'beginners'],
  lecturer_ids: ['019ab3c0-ab40-7c5d-8e6f-3a4b5c6d7e80'],
  category_ids: ['019ab3c0-bc70-7e8f-9a1b-2c3d4e5f6071'],
  seo: { title: null, description: null },
  external_id: 'celestial-navigation',
  metadata: {},
  enrollments_count: 33,
  rating_average: 4.5,
  reviews_count: 2,
  duration_seconds: 7980,
  url: 'https://www.example.com/courses/celestial-navigation',
  published_at: '2026-11-20T08:00:00.000Z',
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const courseLecturer = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  title: z.string().nullable(),
  avatar_url: z.string().nullable(),
  visible: z.boolean(),
});

const LECTURERS = {
  description: 'With `expand=lecturers`: the lecturers of `lecturer_ids`. A lecturer sees the own profile only.',
};
const CATEGORIES = { description: 'With `expand=categories`: the categories of `category_ids`' };

export const course = resource('Course', {
  one: 'course',
  fields: {
    slug: editable(
      slug.meta({ description: 'Unique at the site, in the address of the course: lower-case words and hyphens' }),
    ),
    name: editable(name(COURSE_NAME_LENGTH).meta({ description: 'Name that visitors read' })),
    subtitle: editable(text(300).nullable().meta({ description: 'One line below the name' }), null),
    description_html: editable(html(100_000).nullable(), null),
    image_url: editable(
      httpsUrl.nullable().meta({ description: 'Picture of the course: an https URL, or that of the file' }),
      null,
    ),
    image_file_id: editable(idIn.nullable().meta(IMAGE_FILE), null),
    course_type: editable(
      z.enum(COURSE_TYPES).meta({
        description:
          'paid: members buy it; public_access: open to everyone; free_redeem: free, each member redeems it; ' +
          'pre_order: members buy it before it begins',
      }),
      'paid',
    ),
    state: readOnly(z.enum(COURSE_STATES)),
    featured: editable(z.boolean().meta({ description: 'Shown before other courses' }), false),
    hidden: editable(z.boolean().meta({ description: 'Published, but left out of the catalog' }), false),
    tags: editable(tags.meta({ description: 'Words to group courses by, each once' }), []),
    lecturer_ids: editable(lecturerIds, []),
    category_ids: editable(categoryIds, []),
    seo: editable(seo.nullable().meta({ description: 'Texts for search engines' }), null),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
    enrollments_count: readOnly(z.int().min(0).meta({ description: 'Live enrollments, exact' })),
    rating_average: readOnly(z.number().min(1).max(5).nullable().meta({ description: 'Two decimals; null: none' })),
    reviews_count: readOnly(z.int().min(0)),
    duration_seconds: readOnly(z.int().min(0).meta({ description: 'Duration of the published lectures' })),
    published_at: readOnly(instantOut.nullable().meta({ description: 'First publication' })),
  },
  object: { seo: z.object({ title: z.string().nullable(), description: z.string().nullable() }), url: objectUrl },
  details: ['description_html'],
  sorts: ['-created_at', '-updated_at', 'name'],
  ranges: ['created_at', 'updated_at', 'published_at'],
  filters: {
    state: z.enum(COURSE_STATES),
    external_id: externalId,
    slug,
    tag,
    course_type: z.enum(COURSE_TYPES),
    featured: z.boolean(),
    hidden: z.boolean(),
    category_id: idIn,
    lecturer_id: idIn,
  },
  expand: {
    lecturers: { schema: z.array(courseLecturer).meta(LECTURERS), scope: 'lecturers:read' },
    categories: { schema: z.array(category.object).meta(CATEGORIES), scope: 'courses:read' },
  },
  search: { text: COURSE_TEXT, in: 'name, subtitle or slug' },
  examples: {
    object: EXAMPLE,
    create: { name: EXAMPLE.name, slug: EXAMPLE.slug, tags: EXAMPLE.tags },
    patch: { subtitle: 'For everyone', image_url: null },
  },
});
export type CourseCreate = CreateOf<typeof course>;
export type CoursePatch = PatchOf<typeof course>;
export type CourseListQuery = ListQueryOf<typeof course>;
