import { z } from 'zod';
import { defineEntityEvents } from '../platform/event.js';
import { externalIdOfObject } from './command-values.js';

/** A static page of a site. Its deployments are parts of it; their files stay at the school. */
export const pageEvents = defineEntityEvents({
  context: 'school',
  entity: 'page',
  version: 1,
  names: [
    'created',
    'updated',
    'published',
    'unpublished',
    'deployed',
    'deployment_ready',
    'deployment_failed',
    'promoted',
    'rolled_back',
    'deleted',
    'republished',
  ],
  data: z.object({
    page_id: z.uuid(),
    site_id: z.uuid(),
    external_id: externalIdOfObject,
    slug: z.string(),
    title: z.string(),
    state: z.enum(['draft', 'published', 'unpublished', 'deleted']),
    /** The deployment that visitors see while the page is published. */
    live_deployment_id: z.uuid().nullable(),
  }),
});
