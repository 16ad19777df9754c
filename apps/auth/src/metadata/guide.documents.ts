import { permitsDocuments } from '#src/client-documents/client-id-url.policy.js';
import { LOGO_LIMITS } from '#src/client-logos/logo-limits.js';
import { FETCH_LIMITS } from '#src/client-documents/document.fetcher.js';
import { FRESHNESS } from '#src/client-documents/freshness.policy.js';
import { scopesOfReview } from '#src/client-documents/review.policy.js';
import type { SiteRecord } from '#src/sites/site.js';

/** The section of auth.md on clients by document at this site. */
export function clientsByDocument(site: SiteRecord): string {
  const { cimd_hosts, cimd_open } = site.settings;
  const title = '**Client ID Metadata Document**: an `https` URL with a path and no port as `client_id`';
  if (!permitsDocuments(site.settings)) return `${title} is not accepted at this site (\`invalid_client\`).`;
  const hosts = cimd_open ? 'from any host' : `only from ${cimd_hosts.map((host) => `\`${host}\``).join(', ')}`;
  const scopes = scopesOfReview('unreviewed').map((scope) => `\`${scope}\``);
  return `${title}, ${hosts}; else a page with \`invalid_client\`. The document is JSON of at most ${FETCH_LIMITS.bytes} bytes, returned within ${FETCH_LIMITS.milliseconds / 1000} seconds without redirect or compression; its \`client_id\` is its address, its \`redirect_uris\` are of the same origin or loopback, its authentication method is \`none\`. Its \`logo_uri\` (https; PNG, JPEG or WebP of at most ${LOGO_LIMITS.bytes} bytes and ${LOGO_LIMITS.side} pixels a side) is fetched once the site has approved the client. It is kept for ${FRESHNESS.least} to ${FRESHNESS.most} seconds, as \`Cache-Control\` says. Until the site has reviewed it, only ${scopes.join(' ')}; a new name or redirect URI is reviewed again.`;
}
