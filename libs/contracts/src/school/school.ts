import { z } from 'zod';
import { defineEntityEvents } from '../platform/event.js';
import { roleSchema } from '../platform/principal.js';
import { defineRequest } from '../platform/request.js';

const text = z.string().nullable();

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
