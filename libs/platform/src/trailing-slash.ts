/**
 * `/mcp/?x=1` becomes `/mcp?x=1`: services serve a path with and without one slash at its end. Routes, guards and idempotency
 * keys see the short form only. No redirect, because some MCP clients do not follow one after POST.
 */
export function withoutTrailingSlash(url: string): string {
  return url.replace(/^(\/[^?#]*[^/?#])\/(?=[?#]|$)/, '$1');
}
