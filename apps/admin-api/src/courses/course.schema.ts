import { z } from 'zod';
import {
  createdAtFilters,
  fieldsParameter,
  httpsUrl,
  instantOut,
  listQuery,
  multiline,
  name,
  pageOf,
  searchText,
  slug,
  tags,
  text,
} from '@lyceum/rest';
import { COURSE_STATES, COURSE_TYPES } from './course.policy.js';

const SEO = 'What search engines show; null falls back on name and subtitle';
const TAGS = 'Words to group courses by, each once';

const seoTitle = text(70).nullable().meta({ description: 'Title in search results; null: the name' });
const seoDescription = text(160).nullable().meta({ description: 'Text in search results; null: the subtitle' });

const seo = z
  .strictObject({ title: seoTitle.default(null), description: seoDescription.default(null) })
  .meta({ description: SEO });

const DESCRIPTION = 'HTML. Cleaned when stored: scripts, styles, event handlers and unknown elements are dropped';

/** A course in a list. */
export const courseSummary = z
  .object({
    id: z.uuid(),
    slug: z.string().meta({ description: 'Unique at the site' }),
    name: z.string(),
    subtitle: z.string().nullable(),
    image_url: z.string().nullable(),
    course_type: z.enum(COURSE_TYPES),
    state: z.enum(COURSE_STATES),
    featured: z.boolean(),
    hidden: z.boolean().meta({ description: 'Published, but left out of the catalogue' }),
    tags: z.array(z.string()),
    seo: z.object({ title: z.string().nullable(), description: z.string().nullable() }),
    enrollments_count: z.int().meta({ description: 'Live enrolments, exact' }),
    published_at: instantOut.nullable().meta({ description: 'When it was first published' }),
    created_at: instantOut,
    updated_at: instantOut,
  })
  .meta({ id: 'CourseSummary' });

const EXAMPLE = {
  id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90',
  slug: 'watercolour-basics',
  name: 'Watercolour basics',
  subtitle: 'Light, water and patience',
  description_html: '<p>Eight weeks of painting with water.</p>',
  image_url: 'https://cdn.example.com/watercolour.jpg',
  course_type: 'paid',
  state: 'published',
  featured: true,
  hidden: false,
  tags: ['art', 'beginners'],
  seo: { title: null, description: null },
  enrollments_count: 42,
  published_at: '2026-11-20T08:00:00.000Z',
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

/** A course by itself. */
export const courseView = courseSummary
  .extend({ description_html: z.string().nullable() })
  .meta({ id: 'Course', examples: [EXAMPLE] });

const fieldNames = Object.keys(courseSummary.shape) as [keyof typeof courseSummary.shape];
const viewFieldNames = Object.keys(courseView.shape) as [keyof typeof courseView.shape];

export const courseList = pageOf('CourseList', courseSummary);

export const courseListQuery = listQuery({
  sorts: ['-created_at', 'created_at', 'name', '-name'],
  fields: fieldNames,
  filters: {
    state: z.enum(COURSE_STATES).optional(),
    q: searchText.optional().meta({ description: 'Words that all occur in the name, subtitle or slug' }),
    ...createdAtFilters,
  },
});
export type CourseListQuery = z.infer<typeof courseListQuery>;

export const courseGetQuery = z.strictObject({ fields: fieldsParameter(viewFieldNames) });

const editable = {
  name: name(200).meta({ description: 'What visitors read as its name' }),
  slug: slug.meta({ description: 'Unique at the site, in the address of the course: lower-case words and hyphens' }),
  subtitle: text(300).nullable().meta({ description: 'One line below the name' }),
  description_html: multiline(100_000).nullable().meta({ description: DESCRIPTION }),
  image_url: httpsUrl.nullable().meta({ description: 'Picture of the course: an https URL' }),
  course_type: z.enum(COURSE_TYPES).meta({
    description:
      'paid: it is bought; public_access: open to everybody; free_redeem: free, each member takes it; pre_order: bought ' +
      'before it begins',
  }),
  featured: z.boolean().meta({ description: 'Shown before other courses' }),
  hidden: z.boolean().meta({ description: 'Published, but left out of the catalogue' }),
  tags: tags.meta({ description: TAGS }),
  seo: seo.nullable().meta({ description: SEO }),
};

export const courseCreate = z
  .strictObject({
    ...editable,
    subtitle: editable.subtitle.default(null),
    description_html: editable.description_html.default(null),
    image_url: editable.image_url.default(null),
    course_type: editable.course_type.default('paid'),
    featured: editable.featured.default(false),
    hidden: editable.hidden.default(false),
    tags: editable.tags.default([]),
    seo: editable.seo.default(null),
  })
  .meta({ id: 'CourseCreate', examples: [{ name: EXAMPLE.name, slug: EXAMPLE.slug, tags: EXAMPLE.tags }] });
export type CourseCreate = z.infer<typeof courseCreate>;

/** JSON Merge Patch (RFC 7396): what is absent stays, null clears what can be empty. */
export const coursePatch = z
  .strictObject(editable)
  .partial()
  .extend({
    tags: editable.tags.nullable().meta({ description: TAGS }).optional(),
    seo: z
      .strictObject({ title: seoTitle, description: seoDescription })
      .partial()
      .nullable()
      .meta({ description: SEO })
      .optional(),
  })
  .meta({ id: 'CoursePatch', examples: [{ subtitle: 'For everybody', image_url: null }] });
export type CoursePatch = z.infer<typeof coursePatch>;
