import { z } from 'zod';
import { defineEntityEvents } from '../platform/event.js';
import { instantSchema } from '../platform/instant.js';
import { defineRequest } from '../platform/request.js';

/** Purposes of files. The purpose determines the allowed types and the size. */
export const FILE_PURPOSES = ['image', 'logo', 'attachment', 'import', 'page_bundle'] as const;

/**
 * pending: awaits the upload; uploaded: is being checked; ready: can be used; rejected: failed a check or was aborted.
 */
export const FILE_STATES = ['pending', 'uploaded', 'ready', 'rejected'] as const;

export const fileEvents = defineEntityEvents({
  context: 'school',
  entity: 'file',
  version: 1,
  names: ['created', 'uploaded', 'ready', 'rejected', 'deleted', 'republished'],
  data: z.object({
    file_id: z.uuid(),
    site_id: z.uuid(),
    purpose: z.enum(FILE_PURPOSES),
    /** Empty. Events of earlier releases have the name of the file. */
    filename: z.string(),
    content_type: z.string(),
    bytes: z.int().positive(),
    sha256: z.string(),
    state: z.enum([...FILE_STATES, 'deleted']),
  }),
});

/**
 * A fresh link to an attachment that an object of the site of the request uses. The caller has checked who may read the
 * file. `not_found` for any other file.
 */
export const linkFile = defineRequest({
  service: 'admin-api',
  name: 'link_file',
  version: 1,
  input: z.object({ file_id: z.uuid() }),
  output: z.object({ url: z.url(), expires_at: instantSchema }),
});
