import { isIP } from 'node:net';
import type { SiteSettings } from '#src/sites/site.js';

const LENGTH = 1024;
const HTTPS = 'https:';

/** Whether a client_id wants to be the address of a document; whether it may is another question. */
export function looksLikeUrl(clientId: string): boolean {
  return /^https?:/i.test(clientId);
}

/**
 * The address of a client's document (draft-ietf-oauth-client-id-metadata-document §3): https, a path, no credentials and
 * no fragment. It has to be written exactly as a parser would write it, so that text and address can never be two things:
 * that leaves no number in place of a host (`https://2130706433/`), no `..`, no capital letters, no port 443. Beyond the
 * draft: no other port, because a publisher at a host uses its default port, and inner services listen on the
 * others; no IP address, and no name without a dot or with one at its end, because those are names of a network.
 */
export function clientIdUrl(clientId: string): URL | undefined {
  if (clientId.length > LENGTH || !/^[\x21-\x7e]+$/.test(clientId) || clientId.includes('\\')) return undefined;
  const url = URL.parse(clientId);
  if (url === null || url.href !== clientId || url.protocol !== HTTPS) return undefined;
  if (url.username !== '' || url.password !== '' || clientId.includes('#') || url.pathname === '/') return undefined;
  if (url.port !== '' || !isPublicName(url.hostname)) return undefined;
  return url;
}

/** A name of the public DNS, as far as its form tells. */
export function isPublicName(hostname: string): boolean {
  const labels = hostname.split('.');
  const wellFormed =
    labels.length > 1 && labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
  return wellFormed && hostname.length <= 253 && isIP(hostname) === 0 && !/^\d+$/.test(labels.at(-1) ?? '');
}

/** Whether a site takes documents of that host. A host is allowed with its full name; its subdomains are others. */
export function permitsHost(settings: Pick<SiteSettings, 'cimd_hosts' | 'cimd_open'>, hostname: string): boolean {
  return settings.cimd_open || settings.cimd_hosts.includes(hostname);
}

/** Whether a site takes documents at all. The metadata says so only then, because clients then prefer this way. */
export function permitsDocuments({ cimd_hosts, cimd_open }: Pick<SiteSettings, 'cimd_hosts' | 'cimd_open'>): boolean {
  return cimd_open || cimd_hosts.length > 0;
}
