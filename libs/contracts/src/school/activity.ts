import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { roleSchema } from '../platform/principal.js';
import { defineRequest } from '../platform/request.js';

const entry = z.object({
  id: z.uuid(),
  /** The change in a sentence, as `GET /activity` has it. */
  summary: z.string(),
  client_id: z.string().nullable(),
  via: z.string(),
  created_at: instantSchema,
});
export type ActivitySummary = z.infer<typeof entry>;

/** The changes at the site of the request, newest first. Forbidden unless a role of the caller is owner or admin. */
export const listActivity = defineRequest({
  service: 'admin-api',
  name: 'list_activity',
  version: 1,
  input: z.object({
    /** The roles that the caller has at the site. */
    roles: z.array(roleSchema),
    cursor: z.string().nullable(),
    limit: z.int().min(1).max(100),
  }),
  output: z.object({ entries: z.array(entry), next_cursor: z.string().nullable() }),
});
