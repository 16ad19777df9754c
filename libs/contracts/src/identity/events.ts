import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { memberStateSchema, roleSchema } from '../platform/principal.js';
import { siteSchema } from './sites.js';
import { defineEntityEvents } from '../platform/event.js';

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

/** An OAuth client as its site knows it, without anything secret; `aggregate_id` is `client_key`. */
export const clientEvents = defineEntityEvents({
  context: 'identity',
  entity: 'client',
  version: 1,
  names: ['created', 'updated', 'deleted', 'republished'],
  data: z.object({
    client_key: z.uuid(),
    client_id: z.string(),
    /** Null for the clients of vendor platforms, which are one for the deployment. */
    site_id: z.uuid().nullable(),
    name: z.string(),
    audience: z.enum(['operator', 'member']),
    source: z.enum(['site', 'platform', 'loopback', 'document']),
    confidential: z.boolean(),
    redirect_uris: z.array(z.string()),
    scopes: z.array(z.string()),
    /** What the site thinks of a client that describes itself by a document; null of all others. */
    review: z.enum(['unreviewed', 'approved', 'blocked']).nullable(),
    /** Events that are older than this field lack it. */
    state: z.enum(['active', 'deleted']).default('active'),
  }),
});

/** The membership of one person at one site, with its roles; `aggregate_id` is `<site_id>:<person_id>`. */
export const roleEvents = defineEntityEvents({
  context: 'identity',
  entity: 'role',
  version: 1,
  names: ['changed', 'republished'],
  data: z.object({
    /** The subject (`sub`) of the person's tokens at the site. Events that are older than this field lack it. */
    member_id: z.uuid().nullable().default(null),
    site_id: z.uuid(),
    person_id: z.uuid(),
    /** Lower-case, so that the school can link its own student of that e-mail to the person. */
    email: z.string(),
    /** How the person is called at this site. */
    name: z.string(),
    picture: z.string().nullable().default(null),
    locale: z.string().nullable().default(null),
    /** Only `invited` and `active` members may use the site. Events that are older than this field lack it. */
    state: memberStateSchema.default('active'),
    /** A suspended member keeps them; a removed one has none. */
    roles: z.array(roleSchema),
    joined_at: instantSchema,
    /** The student of the school whose event brought the change about. Null of every other change. */
    student_id: z.uuid().nullable().default(null),
  }),
});
