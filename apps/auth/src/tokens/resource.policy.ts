import { MEMBER_SCOPES } from '@lyceum/contracts';
import { connectsTools } from '#src/sites/site.js';
import type { SiteRecord } from '#src/sites/site.js';

type ResourceSite = Pick<SiteRecord, 'base_url' | 'settings'>;

const member = new Set<string>(MEMBER_SCOPES);

/**
 * RFC 8707: the resource of every token is `{base_url}`. Two more spellings are accepted: `{base_url}/`, because
 * clients that normalize URLs cannot omit the slash, and `{base_url}/mcp`, because strict RFC 9728 clients send the URL
 * that they connect to. The last one ends with the connections of the site.
 */
export function canonicalResource({ base_url, settings }: ResourceSite, resource: string): string | undefined {
  const ofTools = resource === `${base_url}/mcp` && connectsTools({ settings });
  return resource === base_url || resource === `${base_url}/` || ofTools ? base_url : undefined;
}

/** The result of a request's `resource` parameters: none, the site's, or one that is refused as `invalid_target`. */
export function requestedResource(site: ResourceSite, values: readonly string[]): 'none' | 'site' | 'foreign' {
  const given = values.filter((value) => value !== '');
  if (given.length === 0) return 'none';
  return given.every((value) => canonicalResource(site, value) !== undefined) ? 'site' : 'foreign';
}

/** The hint for libraries that cannot send `state` or repeat `resource`. */
export function compatibilityHint(baseUrl: string): string {
  return `turn on Compatibility for the application at ${baseUrl}/admin/applications`;
}

/** A request for member scopes must name the resource, at the authorization and at the code exchange. */
export function needsResource(scopes: Iterable<string>): boolean {
  for (const scope of scopes) if (member.has(scope)) return true;
  return false;
}
