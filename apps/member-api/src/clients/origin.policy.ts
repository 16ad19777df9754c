const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The origin of a URL, as allowed origins are compared; undefined for a URL that is not of the web. The port of a
 * loopback address is free at the authorization endpoint (RFC 8252 §7.3), so it is left out here, too.
 */
export function comparableOrigin(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, origin } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  return LOOPBACK.has(hostname) ? `${protocol}//${hostname}` : origin;
}

/** The origins of the pages to which a client sends people back: its scripts run there. */
export function originsOf(redirectUris: readonly string[]): string[] {
  return [...new Set(redirectUris.map(comparableOrigin).filter((origin) => origin !== undefined))];
}
