import { ROUTES, routeOf } from './routes.js';

describe('the route table', () => {
  it.each([
    ['/', 'auth'],
    ['/oauth/authorize', 'auth'],
    ['/api/oauth/token', 'auth'],
    ['/.well-known/oauth-protected-resource', 'auth'],
    ['/.well-known/oauth-protected-resource/mcp', 'auth'],
    ['/auth.md', 'auth'],
    ['/account', 'auth'],
    ['/account/sessions', 'auth'],
    ['/admin/developers', 'auth'],
    ['/agent/auth', 'auth'],
    ['/api/v1', 'admin-api'],
    ['/api/v1/courses', 'admin-api'],
    ['/openapi.json', 'admin-api'],
    ['/docs/', 'auth'],
    ['/docs/guides/paging', 'auth'],
    ['/docs/assets/reference.0123456789abcdef.js', 'auth'],
    ['/docs/operations', 'admin-api'],
    ['/docs/errors/not_found', 'admin-api'],
    ['/docs/clients/urql.md', 'admin-api'],
    ['/llms.txt', 'auth'],
    ['/files/uploads/a/b', 'admin-api'],
    ['/pages', 'admin-api'],
    ['/pages/about/', 'admin-api'],
    ['/member/graphql', 'member-api'],
    ['/member/downloads', 'member-api'],
    ['/member/explorer', 'auth'],
    ['/mcp', 'mcp-gateway'],
    ['/mcp/', 'mcp-gateway'],
    ['/connect', 'mcp-gateway'],
  ])('sends %s to %s', (path, service) => {
    expect(routeOf(path)).toBe(service);
  });

  it.each([
    ['/mcpx'],
    ['/api/v1x'],
    ['/api/v2'],
    ['/memberships'],
    ['/openapi.json/x'],
    ['/docsearch'],
    ['/docs/errorsx'],
    ['/filesystem'],
    ['/pagesx'],
    ['/MCP'],
    ['/api'],
    [''],
    ['/nothing/mcp'],
  ])('routes %p, which no service owns, to auth', (path) => {
    expect(routeOf(path)).toBe('auth');
  });

  it('names every path once, without a slash at its end', () => {
    const keys = ROUTES.map(({ kind, path }) => `${kind} ${path}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(ROUTES.filter(({ path }) => path !== '/' && path.endsWith('/'))).toEqual([]);
  });
});
