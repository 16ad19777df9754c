import { z } from 'zod';
import { defineEntityEvents } from '../platform/event.js';
import { externalIdOfObject } from './command-values.js';

/** A lecturer as the site shows them. */
export const lecturerEvents = defineEntityEvents({
  context: 'school',
  entity: 'lecturer',
  version: 1,
  names: ['created', 'updated', 'deleted', 'republished'],
  data: z.object({
    lecturer_id: z.uuid(),
    site_id: z.uuid(),
    external_id: externalIdOfObject,
    slug: z.string(),
    name: z.string(),
    title: z.string().nullable(),
    avatar_url: z.string().nullable(),
    state: z.enum(['visible', 'hidden', 'deleted']),
    /** The member who has own courses through this lecturer. */
    member_id: z.uuid().nullable(),
  }),
});
