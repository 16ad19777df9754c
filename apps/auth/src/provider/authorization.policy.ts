import { isScope, splitScope } from '@lyceum/contracts';

/** MCP clients always send it; it means nothing here, where refresh tokens are always given. */
const IGNORED_SCOPES = new Set(['offline_access']);

/** The first scope that nobody knows (RFC 6749 §3.3: `invalid_scope`; the engine would leave it out in silence). */
export function unknownScope(scope: string): string | undefined {
  return splitScope(scope).find((part) => !isScope(part) && !IGNORED_SCOPES.has(part));
}
