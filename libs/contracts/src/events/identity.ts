import { z } from 'zod';
import { roleSchema } from '../principal.js';
import { siteSchema } from '../sites.js';
import { defineEntityEvents } from './event.js';

/** `republished` in every list of names: the owner sends its state once more, so that a copy can be rebuilt. */

export const siteEvents = defineEntityEvents({
  context: 'identity',
  entity: 'site',
  version: 1,
  names: ['created', 'updated', 'republished'],
  data: siteSchema,
});

/** A person is one for the deployment; `aggregate_id` is `person_id`. What a site may see of them it learns by the role. */
export const personEvents = defineEntityEvents({
  context: 'identity',
  entity: 'person',
  version: 1,
  names: ['created', 'updated', 'suspended', 'reinstated', 'deleted', 'republished'],
  data: z.object({
    person_id: z.uuid(),
    email: z.string(),
    name: z.string(),
    picture: z.string().nullable(),
    locale: z.string().nullable(),
    state: z.enum(['active', 'suspended', 'deleted']),
  }),
});

/** The roles of one person at one site; `aggregate_id` is `<site_id>:<person_id>`. No roles left means gone from the site. */
export const roleEvents = defineEntityEvents({
  context: 'identity',
  entity: 'role',
  version: 1,
  names: ['changed', 'republished'],
  data: z.object({
    site_id: z.uuid(),
    person_id: z.uuid(),
    /** Lower-case, so that the school can link its own student of that e-mail to the person. */
    email: z.string(),
    name: z.string(),
    roles: z.array(roleSchema),
    joined_at: z.iso.datetime(),
  }),
});
