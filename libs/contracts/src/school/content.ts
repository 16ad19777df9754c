import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';

/** A post of the site or of one of its courses. Consumers keep published posts; the text stays at the school. */
export const postEvents = defineEntityEvents({
  context: 'school',
  entity: 'post',
  version: 1,
  names: ['created', 'updated', 'published', 'unpublished', 'deleted', 'republished'],
  data: z.object({
    post_id: z.uuid(),
    site_id: z.uuid(),
    /** Null for posts of the whole site. */
    course_id: z.uuid().nullable(),
    slug: z.string(),
    title: z.string(),
    /** A few plain sentences. */
    excerpt: z.string().nullable(),
    state: z.enum(['draft', 'published', 'unpublished', 'deleted']),
    /** First publication; publishing again does not change it. */
    published_at: instantSchema.nullable(),
  }),
});

/** A comment on a lecture or a post, or a reply to one. */
export const commentEvents = defineEntityEvents({
  context: 'school',
  entity: 'comment',
  version: 1,
  names: ['created', 'updated', 'approved', 'hidden', 'deleted', 'republished'],
  data: z.object({
    comment_id: z.uuid(),
    site_id: z.uuid(),
    /** Null for an author who is not linked to a person. */
    author_person_id: z.uuid().nullable(),
    author_name: z.string(),
    /** The parent comment and its author; null for a top-level comment. */
    parent: z.object({ comment_id: z.uuid(), author_person_id: z.uuid().nullable() }).nullable(),
    /** Path of the comment below the site's base URL. */
    path: z.string().startsWith('/'),
    /** The first plain words. */
    excerpt: z.string(),
    state: z.enum(['pending', 'visible', 'hidden', 'deleted']),
    posted_at: instantSchema,
  }),
});
