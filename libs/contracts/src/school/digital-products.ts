import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';
import { externalIdOfObject } from './command-values.js';

export const digitalProductEvents = defineEntityEvents({
  context: 'school',
  entity: 'digital_product',
  version: 1,
  names: ['created', 'updated', 'published', 'unpublished', 'archived', 'deleted', 'republished'],
  data: z.object({
    digital_product_id: z.uuid(),
    site_id: z.uuid(),
    external_id: externalIdOfObject,
    slug: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    image_url: z.string().nullable(),
    state: z.enum(['draft', 'published', 'unpublished', 'archived', 'deleted']),
    /** Downloads per grant, all files together; null means unlimited. */
    download_limit: z.int().positive().nullable(),
    /** Files in display order. `linkFile` returns a link to one. */
    files: z
      .array(
        z.object({
          file_id: z.uuid(),
          name: z.string(),
          content_type: z.string(),
          size_bytes: z.int().nonnegative(),
        }),
      )
      .max(100),
  }),
});

/**
 * A granted product, without order data. A student has one active grant of a product. `person_id` is null until the
 * buyer is linked.
 */
export const digitalProductGrantEvents = defineEntityEvents({
  context: 'school',
  entity: 'digital_product_grant',
  version: 1,
  names: ['granted', 'extended', 'updated', 'expired', 'revoked', 'linked', 'republished'],
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
