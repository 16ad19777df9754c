/** MCP clients always send it; it has no effect here, where no scope decides about refresh tokens. */
const IGNORED_SCOPES = new Set(['offline_access']);

/** The requested scopes without those that have no effect. */
export function effectiveScopes(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !IGNORED_SCOPES.has(scope));
}
