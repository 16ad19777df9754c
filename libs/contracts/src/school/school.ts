import { z } from 'zod';
import { defineEntityEvents } from '../platform/event.js';
import { roleSchema } from '../platform/principal.js';
import { defineRequest } from '../platform/request.js';

const text = z.string().nullable();

export const MEMBER_FIELD_TYPES = ['text', 'number', 'boolean', 'date', 'choice'] as const;

export const MEMBER_FIELD_LIMITS = {
  /** Custom fields of the members of a site. */
  fields: 50,
  /** Characters of a label. */
  label: 100,
  /** Options of a choice. */
  options: 100,
  /** Options of all choices, which one event carries. */
  allOptions: 500,
  /** Characters of an option. */
  option: 100,
  /** Characters of a text. */
  text: 500,
} as const;

/** Settings of a school; `aggregate_id` is `site_id`. Null: not set. A site without settings has no event. */
export const schoolEvents = defineEntityEvents({
  context: 'school',
  entity: 'school',
  version: 1,
  names: ['updated', 'republished'],
  data: z.object({
    site_id: z.uuid(),
    /** Replaces the name from the creation of the site on the pages of auth. */
    name: text,
    locale: text,
    timezone: text,
    currency: text,
    contact_email: text,
    support_url: text,
    legal: z.object({ name: text, terms_url: text, privacy_url: text }),
    url_templates: z.object({ course: text, lecture: text, lecturer: text }),
    features: z.object({ mcp_connections: z.boolean().nullable() }),
    /** Days of access after a period of a subscription that was not renewed. */
    subscription_grace_days: z.int().default(7),
    /** Custom fields of members, in their order. */
    member_fields: z
      .array(
        z.object({
          key: z.string(),
          type: z.enum(MEMBER_FIELD_TYPES),
          label: z.string(),
          /** Values of a choice. */
          options: z.array(z.string()),
        }),
      )
      .default([]),
  }),
});

/** Switches MCP connections of the site of the request. Forbidden unless a role of the member is owner or admin. */
export const switchMcpConnections = defineRequest({
  service: 'admin-api',
  name: 'switch_mcp_connections',
  version: 1,
  input: z.object({ member_id: z.uuid(), roles: z.array(roleSchema), enabled: z.boolean() }),
  output: z.object({ enabled: z.boolean().nullable() }),
});
