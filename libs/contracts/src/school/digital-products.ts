import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';

export const digitalProductEvents = defineEntityEvents({
  context: 'school',
  entity: 'digital_product',
  version: 1,
  names: ['created', 'updated', 'published', 'unpublished', 'archived', 'deleted', 'republished'],
  data: z.object({
    digital_product_id: z.uuid(),
    site_id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    image_url: z.string().nullable(),
    state: z.enum(['draft', 'published', 'unpublished', 'archived', 'deleted']),
    /** How often one grant may download, all files together; null means without limit. */
    download_limit: z.int().positive().nullable(),
    /** In the order in which they are shown. */
    files: z
      .array(
        z.object({
          file_id: z.uuid(),
          name: z.string(),
          content_type: z.string(),
          size_bytes: z.int().nonnegative(),
          /** Where the bytes are. Never shown to a member: a download leads there only after its checks. */
          storage_url: z.url({ protocol: /^https?$/ }),
        }),
      )
      .max(100),
  }),
});

/** What somebody has of a product. It says nothing of an order. `person_id` is null until the buyer is linked. */
export const digitalProductGrantEvents = defineEntityEvents({
  context: 'school',
  entity: 'digital_product_grant',
  version: 1,
  names: ['granted', 'extended', 'expired', 'revoked', 'linked', 'republished'],
  data: z.object({
    grant_id: z.uuid(),
    site_id: z.uuid(),
    person_id: z.uuid().nullable(),
    digital_product_id: z.uuid(),
    state: z.enum(['active', 'expired', 'revoked']),
    granted_at: instantSchema,
    /** Null means access for life. */
    expires_at: instantSchema.nullable(),
  }),
});
