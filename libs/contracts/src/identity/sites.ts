import { z } from 'zod';

/**
 * One entry of the site directory: auth writes it to the KV bucket `sites` under the key `site_id`, the other services
 * mirror it.
 */
export const siteSchema = z.object({
  site_id: z.uuid(),
  /** The canonical origin, `{base_url}`: scheme, host and port, without path and trailing slash. Also the issuer. */
  base_url: z.string(),
  /** `host[:port]` of `base_url`, as in a Host header. */
  host: z.string(),
  name: z.string(),
  slug: z.string(),
  org_id: z.string(),
  state: z.enum(['active', 'suspended']),
  /**
   * The feature "MCP connections". Null and undefined: never switched; false: `/mcp` refuses access tokens (ADR 76).
   */
  mcp_connections: z.boolean().nullable().optional(),
  /** The language of the school (BCP 47). Null: not set. Missing in entries of earlier releases. */
  locale: z.string().nullable().optional(),
  /**
   * URL template of the page of a course on the web site of the school, with `{slug}` or `{id}`. Null: not set. Missing
   * in entries of earlier releases.
   */
  course_url: z.string().nullable().optional(),
});
export type Site = z.infer<typeof siteSchema>;

/** The KV bucket of the site directory. */
export const SITES_BUCKET = 'sites';
