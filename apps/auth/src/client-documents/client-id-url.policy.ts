import { isIP } from 'node:net';
import type { SiteSettings } from '#src/sites/site.js';

const LENGTH = 1024;
const HTTPS = 'https:';

/** True when a client_id claims to be the URL of a document, valid or not. */
export function looksLikeUrl(clientId: string): boolean {
  return /^https?:/i.test(clientId);
}

/**
 * The URL of a client's document (draft-ietf-oauth-client-id-metadata-document §3): https, a path, no credentials and
 * no fragment. It must be spelled exactly as a URL parser writes it, so that text and URL cannot differ: no number in
 * place of a host (`https://2130706433/`), no `..`, no capital letters, no port 443. Stricter than the draft: no other
 * port, because publishers use the default port and internal services listen on others; no IP address, and no name
 * without a dot or with one at its end, because those are names of a network.
 */
export function clientIdUrl(clientId: string): URL | undefined {
  if (clientId.length > LENGTH || !/^[\x21-\x7e]+$/.test(clientId) || clientId.includes('\\')) return undefined;
  const url = URL.parse(clientId);
  if (url === null || url.href !== clientId || url.protocol !== HTTPS) return undefined;
  if (url.username !== '' || url.password !== '' || clientId.includes('#') || url.pathname === '/') return undefined;
  if (url.port !== '' || !isPublicName(url.hostname)) return undefined;
  return url;
}

/** True for the form of a public DNS name. */
export function isPublicName(hostname: string): boolean {
  const labels = hostname.split('.');
  const wellFormed =
    labels.length > 1 && labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
  return wellFormed && hostname.length <= 253 && isIP(hostname) === 0 && !/^\d+$/.test(labels.at(-1) ?? '');
}

/** True when a site accepts documents of the host. An allowed host does not include its subdomains. */
export function permitsHost(settings: Pick<SiteSettings, 'cimd_hosts' | 'cimd_open'>, hostname: string): boolean {
  return settings.cimd_open || settings.cimd_hosts.includes(hostname);
}

/** True when a site accepts documents. Only then the metadata says so, because clients prefer this way. */
export function permitsDocuments({ cimd_hosts, cimd_open }: Pick<SiteSettings, 'cimd_hosts' | 'cimd_open'>): boolean {
  return cimd_open || cimd_hosts.length > 0;
}
