import { MEMBER_SCOPES } from '@lyceum/contracts';

const member = new Set<string>(MEMBER_SCOPES);

/**
 * RFC 8707: the resource of every token is `{base_url}`. Two more spellings are accepted: `{base_url}/`, because
 * clients that normalize URLs cannot omit the slash, and `{base_url}/mcp`, because strict RFC 9728 clients send the URL
 * that they connect to.
 */
export function canonicalResource(baseUrl: string, resource: string): string | undefined {
  return resource === baseUrl || resource === `${baseUrl}/` || resource === `${baseUrl}/mcp` ? baseUrl : undefined;
}

/** The result of a request's `resource` parameters: none, the site's, or one that is refused as `invalid_target`. */
export function requestedResource(baseUrl: string, values: readonly string[]): 'none' | 'site' | 'foreign' {
  const given = values.filter((value) => value !== '');
  if (given.length === 0) return 'none';
  return given.every((value) => canonicalResource(baseUrl, value) !== undefined) ? 'site' : 'foreign';
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
