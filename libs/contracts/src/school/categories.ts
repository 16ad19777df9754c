import { z } from 'zod';
import { defineEntityEvents } from '../platform/event.js';
import { externalIdOfObject } from './command-values.js';

/** A category that groups the courses of a site. */
export const categoryEvents = defineEntityEvents({
  context: 'school',
  entity: 'category',
  version: 1,
  names: ['created', 'updated', 'deleted', 'republished'],
  data: z.object({
    category_id: z.uuid(),
    site_id: z.uuid(),
    external_id: externalIdOfObject,
    slug: z.string(),
    name: z.string(),
    /** Place among the categories of the site. */
    position: z.int().nonnegative(),
    state: z.enum(['active', 'deleted']),
  }),
});
