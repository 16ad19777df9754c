/** An http(s) origin of a site, and its `host[:port]`, which has no default port. */
interface Served {
  readonly base_url: string;
  readonly host: string;
}

/** Several Host headers would name two sites at once (RFC 9112 §3.2); Node.js keeps the first. */
export function hasOneHost(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count <= 1;
}

/** `host[:port]` in lower case, without the trailing dot of the root label (RFC 9110 §4.2.3, RFC 1034 §3.1). */
export function normalizeHost(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/\.(?=:\d+$|$)/, '');
}

/** The normalized hosts that name a site: its own, and the one with the default port of its scheme. */
export function hostsOf({ base_url, host }: Served): string[] {
  const own = normalizeHost(host);
  if (/:\d+$/.test(own)) return [own];
  return [own, `${own}:${base_url.startsWith('https:') ? 443 : 80}`];
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * True for the `hostname` of a URL that stays on one machine, where native apps listen (RFC 8252 §7.3). Does not
 * protect an internal network from requests: `isPublicAddress` does, by the addresses of a host.
 */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.has(hostname);
}
