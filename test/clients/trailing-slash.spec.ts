import { approve, mintToken } from '@lyceum/testing';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { rawHttp } from '../security/raw-http.js';
import { clientOf, personOf, systemStack, type SystemService } from '../stack/system-stack.js';
import { send } from './http.js';
import { ToolClientProvider } from './tool-client.js';

const { sites, services } = systemStack();
const site = sites[0]!;
const { host } = new URL(site.base_url);
const internalUrl = (name: SystemService['name']): string =>
  services.find((service) => service.name === name)!.internal_url;

const tokenOf = async (role: string, audience: 'operator' | 'member', scope: string): Promise<string> => {
  const client = clientOf(site, audience, 'public');
  return (await mintToken({ site, ...personOf(site, role), ...client, scope })).access_token;
};

describe('a client that adds a slash to the path', () => {
  it('signs in and calls a tool at /mcp/ (MCP SDK)', async () => {
    const provider = new ToolClientProvider();
    const transport = new StreamableHTTPClientTransport(new URL(`${site.base_url}/mcp/`), { authProvider: provider });
    const client = new Client({ name: 'slash', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(transport);
    try {
      await expect(client.callTool({ name: 'whoami', arguments: {} })).rejects.toThrow(UnauthorizedError);
      const redirected = await approve(provider.authorizationUrl!, personOf(site, 'owner'));
      await transport.finishAuth(redirected.searchParams);
      const { structuredContent } = await client.callTool({ name: 'whoami', arguments: {} });
      expect(structuredContent).toMatchObject({ audience: 'operator', roles: ['owner'] });
    } finally {
      await client.close();
    }
  });

  it('queries the member API at /member/graphql/', async () => {
    const token = await tokenOf('student', 'member', 'openid account:read');
    const json = { query: '{ viewer { email } }' };
    const { status, body } = await send(`${site.base_url}/member/graphql/`, { token, json });
    const { email } = personOf(site, 'student');
    expect([status, body]).toEqual([200, expect.objectContaining({ data: { viewer: { email } } })]);
  });

  it('writes and reads courses at /api/v1/courses/, query included', async () => {
    const token = await tokenOf('owner', 'operator', 'openid courses:read courses:write');
    const courses = `${site.base_url}/api/v1/courses/`;
    const json = { name: 'Behind a slash', slug: 'behind-a-slash' };
    const written = await send<{ id: string }>(courses, { token, json });
    expect(written.status).toBe(201);
    const one = await send(`${courses}${written.body.id}/?fields=slug`, { token });
    expect(one.body).toMatchObject({ slug: 'behind-a-slash' });
    expect((await send(`${courses}?limit=1`, { token })).status).toBe(200);
  });
});

describe('a service without the local edge', () => {
  it.each([
    ['auth', '/.well-known/oauth-authorization-server/', 'GET', 200],
    ['auth', '/.well-known/oauth-protected-resource/mcp/', 'GET', 200],
    ['auth', '/api/oauth/token/', 'POST', 415],
    ['admin-api', '/openapi.json/', 'GET', 200],
    ['admin-api', '/api/v1/courses/', 'GET', 401],
    ['member-api', '/member/graphql/', 'POST', 401],
    ['mcp-gateway', '/mcp/', 'DELETE', 405],
  ] as const)('returns the same with a trailing slash at %s: %s', async (name, path, method, status) => {
    const requestTarget = async (target: string) => rawHttp(internalUrl(name), target, { method, headers: { host } });
    const [slashed, plain] = await Promise.all([requestTarget(path), requestTarget(path.slice(0, -1))]);
    expect([slashed.status, plain.status]).toEqual([status, status]);
    expect(slashed.headers['content-type']).toBe(plain.headers['content-type']);
  });

  it.each(['/mcp//', '/mcp/x/', '//'])('returns 404 at %s', async (path) => {
    expect((await rawHttp(internalUrl('mcp-gateway'), path, { method: 'POST', headers: { host } })).status).toBe(404);
  });
});
