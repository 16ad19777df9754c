import { MEMBER_SCOPES, isScope, splitScope } from '@lyceum/contracts';

/** MCP clients always send it; it means nothing here, where refresh tokens are always given. */
const IGNORED_SCOPES = new Set(['offline_access']);

const member = new Set<string>(MEMBER_SCOPES);

/** The first scope that nobody knows (RFC 6749 §3.3: `invalid_scope`; the engine would leave it out in silence). */
export function unknownScope(scope: string): string | undefined {
  return splitScope(scope).find((part) => !isScope(part) && !IGNORED_SCOPES.has(part));
}

export function hasMemberScope(scopes: Iterable<string>): boolean {
  for (const scope of scopes) if (member.has(scope)) return true;
  return false;
}
