import { editable, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { POST_ACCESS_TYPES } from '@lyceum/contracts';
import { externalId, html, httpsUrl, idIn, instant, metadata, name, slug, tag, tags, text } from '@lyceum/rest';
import { z } from 'zod';
import { POST_TEXT } from './post.listing.js';
import { POST_STATES } from './post.policy.js';

export type AccessType = (typeof POST_ACCESS_TYPES)[number];

const EXAMPLE = {
  id: '019ab3c0-c010-7a2b-8d4e-5f6071829304',
  slug: 'welcome',
  title: 'Welcome to the school',
  subtitle: 'What is open for you',
  body_html: '<p>Courses, events and a workbook are open for you.</p>',
  excerpt: 'Courses, events and a workbook are open for you.',
  cover_url: null,
  cover_file_id: null,
  access_type: 'public_access',
  state: 'published',
  published_at: '2026-11-20T08:00:00.000Z',
  category_id: null,
  author_id: null,
  course_id: null,
  tags: ['news'],
  external_id: 'post-welcome',
  metadata: {},
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const category = idIn.meta({ description: 'A category of this site' });
const author = idIn.meta({ description: 'A lecturer of this site, whose profile visitors see' });
const course = idIn.meta({ description: 'The course that the post is about; null: the whole site' });

export const post = resource('Post', {
  one: 'post',
  memberType: 'Post',
  fields: {
    slug: editable(slug.meta({ description: 'Unique at the site: lower-case words and hyphens' })),
    title: editable(name(200).meta({ description: 'Title that visitors and members read' })),
    subtitle: editable(text(200).nullable().meta({ description: 'Line below the title' }), null),
    body_html: editable(html(100_000).nullable(), null),
    excerpt: editable(
      text(500).nullable().meta({ description: 'A few plain sentences, for lists and notifications' }),
      null,
    ),
    cover_url: editable(
      httpsUrl.nullable().meta({ description: 'Picture of the post: an https URL, or that of the file' }),
      null,
    ),
    cover_file_id: editable(
      idIn.nullable().meta({
        description: 'A file of the purpose image that is ready; its public address is the `cover_url`',
      }),
      null,
    ),
    access_type: editable(
      z.enum(POST_ACCESS_TYPES).meta({
        description:
          'Who may read the body: everyone; members; or members who paid, by a live subscription or an enrollment that ' +
          'is not free. Only these people are notified of a paid post; of one of a course, those enrolled in it',
      }),
      'public_access',
    ),
    state: readOnly(z.enum(POST_STATES).meta({ description: 'A scheduled post is published at `published_at`' })),
    published_at: editable(
      instant.nullable().meta({
        description: 'Date of the post: a draft with one in the future is scheduled; null: the time of the publication',
      }),
      null,
    ),
    category_id: editable(category.nullable(), null),
    author_id: editable(author.nullable(), null),
    course_id: editable(course.nullable(), null),
    tags: editable(tags.meta({ description: 'Words by which the school groups posts' }), []),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  details: ['body_html'],
  sorts: ['-created_at', '-updated_at', 'title'],
  ranges: ['created_at', 'updated_at'],
  filters: {
    state: z.enum(POST_STATES),
    category_id: category,
    author_id: author,
    course_id: course,
    external_id: externalId,
    tag,
  },
  search: { text: POST_TEXT, in: 'title, subtitle or slug' },
  examples: {
    object: EXAMPLE,
    create: { slug: EXAMPLE.slug, title: EXAMPLE.title, body_html: EXAMPLE.body_html, excerpt: EXAMPLE.excerpt },
    patch: { published_at: '2027-01-04T08:00:00Z' },
  },
});
export type PostCreate = CreateOf<typeof post>;
export type PostPatch = PatchOf<typeof post>;
export type PostListQuery = ListQueryOf<typeof post>;
