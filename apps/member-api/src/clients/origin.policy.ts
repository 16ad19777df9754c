import { isLoopbackHost } from '@lyceum/platform';

/**
 * The origin of a URL in the form in which origins are compared; undefined for a URL that is not http(s). The
 * authorization endpoint accepts any port of a loopback address (RFC 8252 §7.3), so the port is left out here, too.
 */
export function comparableOrigin(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, origin } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  return isLoopbackHost(hostname) ? `${protocol}//${hostname}` : origin;
}

/** The origins of a client's redirect URIs. The scripts of the client run there. */
export function originsOf(redirectUris: readonly string[]): string[] {
  return [...new Set(redirectUris.map(comparableOrigin).filter((origin) => origin !== undefined))];
}
