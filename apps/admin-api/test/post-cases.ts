import type { Cases } from '@lyceum/collections/conventions';
import { category, course, lecturer, scopesOf } from './course-cases.js';
import { ADMINISTRATORS } from './unfenced.js';

const NONE = '019ab3c0-0000-7000-8000-000000000000';

const posts: Cases = {
  create: async (unique, other) => ({
    slug: unique,
    title: `Post ${unique}`,
    body_html: '<p>Text</p>',
    category_id: (await other('/api/v1/categories', category(unique)))['id'],
    author_id: (await other('/api/v1/lecturers', lecturer(unique)))['id'],
    course_id: (await other('/api/v1/courses', course(unique)))['id'],
    tags: ['a'],
    external_id: unique,
  }),
  patch: { title: 'Renamed', access_type: 'paid', tags: ['b'], category_id: null, metadata: { a: 'b' } },
  unique: ['slug', 'external_id'],
  references: ['category_id', 'author_id', 'course_id'],
  readOnly: ['state'],
  states: {
    member: 'state',
    initial: 'draft',
    moves: {
      publish: { draft: 'published' },
      unpublish: { published: 'draft' },
      archive: { published: 'archived' },
    },
    sealed: ['archived'],
  },
  search: ({ slug }) => String(slug),
  filters: {
    state: [({ state }) => state, 'archived'],
    category_id: [({ category_id }) => category_id, NONE],
    author_id: [({ author_id }) => author_id, NONE],
    course_id: [({ course_id }) => course_id, NONE],
    external_id: [({ external_id }) => external_id, 'none'],
    tag: [({ tags }) => (tags as unknown[])[0], 'none'],
  },
  unfenced: ADMINISTRATORS,
};

const announcements: Cases = {
  create: async (unique, other) => {
    const { id: course_id } = await other('/api/v1/courses', course(unique));
    // An announcement to a draft cannot be sent.
    await other(`/api/v1/courses/${String(course_id)}/publish`, {});
    return { title: `Announcement ${unique}`, sends_at: '2090-01-01T00:00:00Z', external_id: unique, course_id };
  },
  patch: { title: 'Renamed', body: 'Text', path: '/news', metadata: { a: 'b' } },
  unique: ['external_id'],
  references: ['course_id'],
  readOnly: ['state', 'sent_at', 'recipients_count'],
  derived: ['sent_at'],
  states: {
    member: 'state',
    initial: 'draft',
    moves: {
      schedule: { draft: 'scheduled' },
      unschedule: { scheduled: 'draft' },
      send: { draft: 'sent', scheduled: 'sent', sent: 'sent' },
    },
    sealed: ['sent'],
  },
  filters: {
    state: [({ state }) => state, 'sent'],
    purpose: [({ purpose }) => purpose, 'marketing'],
    course_id: [({ course_id }) => course_id, NONE],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  scopes: scopesOf('announcements', 'posts', ['schedule', 'unschedule', 'send']),
  unfenced: ADMINISTRATORS,
};

/** Facts of posts and announcements. */
export const postCases: Readonly<Record<string, Cases>> = { posts, announcements };
