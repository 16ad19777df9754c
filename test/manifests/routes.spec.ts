import { ROUTES, routeOf } from '@lyceum/local';
import { readGolden } from './objects.ts';
import { OVERLAYS } from './render.ts';
import type { Route } from './rules/references.ts';

/** Largest number of rules of an HTTPRoute, and of matches of a rule (Gateway API v1). */
const [RULES, MATCHES] = [16, 64];

const KINDS: Readonly<Record<string, string>> = { Exact: 'exact', PathPrefix: 'prefix' };

function tableOf({ spec }: Route) {
  return spec.rules.flatMap(({ matches, backendRefs }) =>
    matches.map(({ path }) => ({ kind: KINDS[path.type], path: path.value, service: backendRefs[0]?.name })),
  );
}

/** The Service that the Gateway chooses: an exact path first, then the longest prefix. */
function serviceOf(route: Route, path: string): string | undefined {
  const matching = tableOf(route).filter(({ kind, path: own }) =>
    kind === 'exact' ? own === path : own === '/' || path === own || path.startsWith(`${own}/`),
  );
  const rank = ({ kind, path: own }: (typeof matching)[number]) => (kind === 'exact' ? Infinity : own.length);
  return matching.toSorted((a, b) => rank(b) - rank(a))[0]?.service;
}

describe.each(OVERLAYS)('the HTTPRoute of %s', (overlay) => {
  const route = readGolden(overlay).get<Route>('HTTPRoute', 'sites');

  it('equals the routes of the local edge in their order', () => {
    expect(tableOf(route)).toEqual(ROUTES);
  });

  it('keeps the limits of the Gateway API', () => {
    expect(route.spec.rules.length).toBeLessThanOrEqual(RULES);
    for (const { matches, backendRefs } of route.spec.rules) {
      expect(matches.length).toBeLessThanOrEqual(MATCHES);
      expect(backendRefs).toHaveLength(1);
    }
  });

  it.each([
    ['/', 'auth'],
    ['/oauth/authorize', 'auth'],
    ['/api/oauth/token', 'auth'],
    ['/.well-known/openid-configuration', 'auth'],
    ['/auth.md', 'auth'],
    ['/account', 'auth'],
    ['/admin/clients', 'auth'],
    ['/connect', 'mcp-gateway'],
    ['/llms.txt', 'auth'],
    ['/api/v1/courses', 'admin-api'],
    ['/openapi.json', 'admin-api'],
    ['/docs', 'auth'],
    ['/docs/guides/paging', 'auth'],
    ['/docs/errors', 'admin-api'],
    ['/docs/clients/urql.md', 'admin-api'],
    ['/pages/p/index.html', 'admin-api'],
    ['/files/public/1', 'admin-api'],
    ['/member/graphql', 'member-api'],
    ['/member/explorer', 'auth'],
    ['/mcp', 'mcp-gateway'],
    ['/mcpx', 'auth'],
  ])('leads %s to %s, as the local edge does', (path, service) => {
    expect(serviceOf(route, path)).toBe(service);
    expect(routeOf(path)).toBe(service);
  });
});
