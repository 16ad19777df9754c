import type { Site } from '@lyceum/contracts';

/** `host[:port]` in lower case, without the trailing dot of the root label (RFC 9110 §4.2.3, RFC 1034 §3.1). */
export function normalizeHost(host: string): string {
  const lower = host.trim().toLowerCase();
  const port = /:\d+$/.exec(lower)?.[0] ?? '';
  const name = port === '' ? lower : lower.slice(0, -port.length);
  return (name.endsWith('.') ? name.slice(0, -1) : name) + port;
}

/** The spellings of a site's host: as it is, and with the default port of its scheme. */
export function hostsOf(site: Pick<Site, 'host' | 'base_url'>): string[] {
  const host = normalizeHost(site.host);
  if (/:\d+$/.test(host)) return [host];
  return [host, `${host}:${site.base_url.startsWith('https:') ? 443 : 80}`];
}
