import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { CONNECT, EXPLORER, GUIDES_PATH, REFERENCE } from '#src/protocol/paths.js';
import { connectsTools } from '#src/sites/site.js';
import type { SiteRecord } from '#src/sites/site.js';

interface Target {
  readonly href: string;
  readonly type: string;
}

/** An API by its address, with its links (RFC 8631). */
interface Entry {
  readonly anchor: string;
  readonly 'service-desc'?: readonly Target[];
  readonly 'service-doc': readonly Target[];
  readonly 'service-meta': readonly Target[];
}

/** RFC 9727 §4.1 and RFC 9264 §4.2. */
export const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** RFC 9727 §3: where the catalog of a site is, in the header `Link`. */
export function catalogLink({ base_url }: SiteRecord): string {
  return `<${base_url}${ENDPOINTS.apiCatalog}>; rel="api-catalog"; type="application/linkset+json"`;
}

/** The catalog of the APIs of a site (RFC 9727): each with its description, its documentation and its metadata. */
export function apiCatalog(site: SiteRecord): { readonly linkset: readonly Entry[] } {
  const at = (path: string): string => `${site.base_url}${path}`;
  const to = (path: string, type: string): Target => ({ href: at(path), type });
  const page = (path: string): Target => to(path, 'text/html');
  const guide = to(ENDPOINTS.guide, 'text/markdown');
  const metadataOf = (path: string): readonly Target[] => [
    to(`${ENDPOINTS.protectedResourceMetadata}${path}`, 'application/json'),
    to(ENDPOINTS.authorizationServerMetadata, 'application/json'),
  ];
  return {
    linkset: [
      {
        anchor: at('/api/v1'),
        'service-desc': [to('/openapi.json', 'application/json')],
        'service-doc': [page(REFERENCE), page(GUIDES_PATH), guide],
        'service-meta': metadataOf('/api/v1'),
      },
      {
        anchor: at('/member/graphql'),
        'service-desc': [to('/member/schema.graphql', 'text/plain')],
        'service-doc': [page(EXPLORER), page(GUIDES_PATH), guide],
        'service-meta': metadataOf('/member/graphql'),
      },
      {
        // The tools describe themselves: `tools/list`.
        anchor: at('/mcp'),
        'service-doc': [page(CONNECT), to(ENDPOINTS.agentIndex, 'text/plain'), guide],
        'service-meta': metadataOf(connectsTools(site) ? '/mcp' : ''),
      },
    ],
  };
}
