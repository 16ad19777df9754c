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
    /** Downloads per grant, all files together; null means unlimited. */
    download_limit: z.int().positive().nullable(),
    /** In display order. */
    files: z
      .array(
        z.object({
          file_id: z.uuid(),
          name: z.string(),
          content_type: z.string(),
          size_bytes: z.int().nonnegative(),
          /** Storage location. Never shown to a member: a download redirects there only after its checks. */
          storage_url: z.url({ protocol: /^https?$/ }),
        }),
      )
      .max(100),
  }),
});

/** A granted product, without order data. `person_id` is null until the buyer is linked. */
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
