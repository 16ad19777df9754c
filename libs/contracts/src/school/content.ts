import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';
import { externalIdOfObject } from './command-values.js';

/** A post of the site or of one of its courses. Consumers keep published posts; the text stays at the school. */
export const POST_ACCESS_TYPES = ['public_access', 'login_required', 'paid'] as const;

export const postEvents = defineEntityEvents({
  context: 'school',
  entity: 'post',
  version: 1,
  names: ['created', 'updated', 'scheduled', 'published', 'unpublished', 'archived', 'deleted', 'republished'],
  data: z.object({
    post_id: z.uuid(),
    site_id: z.uuid(),
    external_id: externalIdOfObject,
    /** Null for posts of the whole site. */
    course_id: z.uuid().nullable(),
    slug: z.string(),
    title: z.string(),
    /** Readers of the body: everyone, members, or members who paid. */
    access_type: z.enum(POST_ACCESS_TYPES).default('public_access'),
    /** A few plain sentences. */
    excerpt: z.string().nullable(),
    state: z.enum(['draft', 'scheduled', 'published', 'archived', 'deleted']),
    /** The date of the post. It may be in the future, unless the post is published; null only for a draft. */
    published_at: instantSchema.nullable(),
  }),
});
