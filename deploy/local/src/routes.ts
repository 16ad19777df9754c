import type { ServiceName } from '@lyceum/contracts';

/**
 * Which service answers a path. The same table holds for the HTTPRoute of the Gateway API, with its meaning of the two
 * kinds: `exact`, or `prefix` by whole path elements (`/mcp` matches `/mcp` and `/mcp/x`, never `/mcpx`).
 */
export interface Route {
  readonly kind: 'exact' | 'prefix';
  readonly path: string;
  readonly service: ServiceName;
}

export const ROUTES: readonly Route[] = [
  { kind: 'exact', path: '/', service: 'auth' },
  { kind: 'prefix', path: '/oauth', service: 'auth' },
  { kind: 'prefix', path: '/api/oauth', service: 'auth' },
  { kind: 'prefix', path: '/.well-known', service: 'auth' },
  { kind: 'exact', path: '/auth.md', service: 'auth' },
  { kind: 'exact', path: '/llms.txt', service: 'auth' },
  { kind: 'prefix', path: '/account', service: 'auth' },
  { kind: 'prefix', path: '/admin', service: 'auth' },
  { kind: 'prefix', path: '/agent', service: 'auth' },
  { kind: 'prefix', path: '/docs', service: 'auth' },
  { kind: 'prefix', path: '/member/explorer', service: 'auth' },
  { kind: 'prefix', path: '/api/v1', service: 'admin-api' },
  { kind: 'exact', path: '/openapi.json', service: 'admin-api' },
  { kind: 'prefix', path: '/docs/operations', service: 'admin-api' },
  { kind: 'prefix', path: '/docs/errors', service: 'admin-api' },
  { kind: 'prefix', path: '/docs/clients', service: 'admin-api' },
  { kind: 'prefix', path: '/files', service: 'admin-api' },
  { kind: 'prefix', path: '/pages', service: 'admin-api' },
  { kind: 'prefix', path: '/member', service: 'member-api' },
  { kind: 'prefix', path: '/mcp', service: 'mcp-gateway' },
  { kind: 'prefix', path: '/connect', service: 'mcp-gateway' },
  // Its 404 is the one of the whole origin.
  { kind: 'prefix', path: '/', service: 'auth' },
];

/** Longest first, exact before prefix: the first match is the one that counts. */
export const ORDERED_ROUTES: readonly Route[] = ROUTES.toSorted(
  (a, b) => b.path.length - a.path.length || a.kind.localeCompare(b.kind),
);

/** The service of a path (without its query). */
export function routeOf(path: string): ServiceName {
  return ORDERED_ROUTES.find((route) => matches(route, path))?.service ?? 'auth';
}

function matches({ kind, path }: Route, asked: string): boolean {
  if (kind === 'exact') return asked === path;
  return path === '/' || asked === path || asked.startsWith(`${path}/`);
}
