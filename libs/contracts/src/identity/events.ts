import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { memberStateSchema, roleSchema } from '../platform/principal.js';
import { siteSchema } from './sites.js';
import { defineEntityEvents } from '../platform/event.js';

/** `republished` in every list of names: the owner republishes its state, so that read models can be rebuilt. */

/**
 * `deleted` is the last event of a site: each service deletes all that it has of the site (ADR 120). Its data has the
 * origin and the ids alone, with the state `suspended`, which consumers of former releases accept.
 */
export const siteEvents = defineEntityEvents({
  context: 'identity',
  entity: 'site',
  version: 1,
  names: ['created', 'updated', 'deleted', 'republished'],
  data: siteSchema,
});

/**
 * A person belongs to the deployment; `aggregate_id` is `person_id`. Sites receive their data of a person by the role.
 */
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

/**
 * A site's OAuth client, without secrets; `aggregate_id` is `client_key`. A client that registered itself is published
 * at its first use.
 */
export const clientEvents = defineEntityEvents({
  context: 'identity',
  entity: 'client',
  version: 1,
  names: ['created', 'updated', 'deleted', 'republished'],
  data: z.object({
    client_key: z.uuid(),
    client_id: z.string(),
    /** Null for clients of vendor platforms, which belong to the deployment. */
    site_id: z.uuid().nullable(),
    name: z.string(),
    audience: z.enum(['operator', 'member']),
    source: z.enum(['site', 'platform', 'loopback', 'document']),
    confidential: z.boolean(),
    redirect_uris: z.array(z.string()),
    scopes: z.array(z.string()),
    /** The site's review of a client by document; `blocked` for a blocked registered client; null for all others. */
    review: z.enum(['unreviewed', 'approved', 'blocked']).nullable(),
    /** Missing in events that are older than this field. */
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
    /** The subject (`sub`) of the person's tokens at the site. Missing in events that are older than this field. */
    member_id: z.uuid().nullable().default(null),
    site_id: z.uuid(),
    person_id: z.uuid(),
    /** Lower-case, so that the school can link its own student of that e-mail to the person. */
    email: z.string(),
    /** The person's name at this site. */
    name: z.string(),
    picture: z.string().nullable().default(null),
    locale: z.string().nullable().default(null),
    /** E.164. Missing in events that are older than this field. */
    phone: z.string().nullable().default(null),
    /** A name of the IANA time zone database; null for that of the site. */
    timezone: z.string().nullable().default(null),
    /** Only `invited` and `active` members may use the site. Missing in events that are older than this field. */
    state: memberStateSchema.default('active'),
    /** A suspended member keeps them; a removed one has none. */
    roles: z.array(roleSchema),
    joined_at: instantSchema,
    /** The school's student whose event caused the change; null for other changes. */
    student_id: z.uuid().nullable().default(null),
    /** The person became a member, for the first time or again. Missing in events that are older than this field. */
    joined: z.boolean().default(false),
  }),
});
