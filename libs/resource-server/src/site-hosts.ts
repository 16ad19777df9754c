import type { Site } from '@lyceum/contracts';

/** `host[:port]` in one form: lower case, without the root label's dot (RFC 9110 §4.2.3, RFC 1034 §3.1). */
export function normalizeHost(host: string): string {
  const lower = host.trim().toLowerCase();
  const port = /:\d+$/.exec(lower)?.[0] ?? '';
  const name = port === '' ? lower : lower.slice(0, -port.length);
  return (name.endsWith('.') ? name.slice(0, -1) : name) + port;
}

/** The spellings under which a site is found: its host, and with the port that its scheme implies. */
export function hostsOf(site: Pick<Site, 'host' | 'base_url'>): string[] {
  const host = normalizeHost(site.host);
  if (/:\d+$/.test(host)) return [host];
  return [host, `${host}:${site.base_url.startsWith('https:') ? 443 : 80}`];
}
