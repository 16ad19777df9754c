import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';

/**
 * Core subject (not stored) on which auth publishes revocations. Resource servers drop every cached introspection
 * result of the subject. The cache lifetime (five seconds at most) covers missed messages.
 */
export const REVOCATION_SUBJECT = 'broadcast.identity.revocation.v1';

/**
 * Scope of a revocation: every token of a grant, of a person (at one site, or everywhere), of a client, or of a site.
 */
export const revocationSchema = z.object({
  id: z.uuid(),
  kind: z.enum(['grant', 'person', 'client', 'site']),
  /** The grant id, person id, client id or site id. */
  subject: z.string(),
  /** Limits `person` and `client` to one site; null means every site. */
  site_id: z.uuid().nullable(),
  occurred_at: instantSchema,
});
export type Revocation = z.infer<typeof revocationSchema>;
