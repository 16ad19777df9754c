/**
 * Removes one trailing slash: `/mcp/?x=1` becomes `/mcp?x=1`. Routes, guards and idempotency keys see the short form
 * only. No redirect, because some MCP clients do not follow one after POST.
 */
export function withoutTrailingSlash(url: string): string {
  return url.replace(/^(\/[^?#]*[^/?#])\/(?=[?#]|$)/, '$1');
}
