import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { roleSchema } from '../platform/principal.js';
import { defineRequest } from '../platform/request.js';

const entry = z.object({
  id: z.uuid(),
  /** The change in a sentence, as `GET /activity` has it. */
  summary: z.string(),
  /** The parts of the sentence, for a sentence in another language. Earlier releases send none. */
  change: z
    .object({
      /** The name of the member; null when it is unknown. */
      name: z.string().nullable(),
      /** The type of the event, such as `course.published`. */
      action: z.string(),
      object_type: z.string(),
      changed_fields: z.array(z.string()),
    })
    .optional(),
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
