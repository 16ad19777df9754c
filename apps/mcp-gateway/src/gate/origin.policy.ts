import { isLoopbackHost } from '@lyceum/platform';

function parse(origin: string): URL | undefined {
  return URL.canParse(origin) ? new URL(origin) : undefined;
}

/** A serialized origin (RFC 6454 §6.1) has only scheme, host and port; `null` is not a URL. */
function isBare(from: URL, origin: string): boolean {
  return from.origin !== 'null' && from.href === `${from.origin}/` && !origin.endsWith('/');
}

/**
 * Protects against DNS rebinding and pages of other sites (MCP, "Security Warning" of the HTTP transport): a browser
 * sends the page's origin, which must be the site's own. Programs send none. On localhost, tools with a page (an
 * inspector) come from another loopback port.
 */
export function isAllowedOrigin(origin: string | undefined, baseUrl: string): boolean {
  if (origin === undefined) return true;
  const from = parse(origin);
  if (from === undefined || !isBare(from, origin)) return false;
  const site = new URL(baseUrl);
  return from.origin === site.origin || (isLoopbackHost(site.hostname) && isLoopbackHost(from.hostname));
}
