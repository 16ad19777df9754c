import { GrantsRepository } from '#src/grants/grants.repository.js';
import { PLATFORMS } from '#src/platforms/platforms.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import type { ApiResponse } from './flow.js';

const CLAUDE = 'https://claude.ai/api/mcp/auth_callback';

describe('A platform', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth();
  });
  beforeEach(() => auth.resetLimits());
  afterAll(() => auth.stop());

  const register = (body: object, flow = new Flow(auth)): Promise<ApiResponse> =>
    flow.send('/api/oauth/register', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  const names = PLATFORMS.flatMap(({ client_id, name, aliases }) => [name, ...aliases].map((one) => [one, client_id]));

  it.each(names)('registers %s as the public client %s', async (client_name, client_id) => {
    const { status, body } = await register({ client_name, token_endpoint_auth_method: 'client_secret_post' });
    expect([status, body['client_id'], body['token_endpoint_auth_method']]).toEqual([201, client_id, 'none']);
    expect(body).not.toHaveProperty('client_secret');
    expect(String(body['scope'])).not.toContain('account:');
  });

  it('accepts every redirect URI of a platform after one registration', async () => {
    for (const { client_id, name, redirect_uris } of PLATFORMS) {
      const { body } = await register({ client_name: name, redirect_uris });
      expect(body).toMatchObject({ client_id, redirect_uris });
    }
  });

  it('returns the same client at each site, and stores none there', async () => {
    const one = await register({ client_name: 'Claude' });
    const other = await register({ client_name: 'Claude' }, new Flow(auth, auth.other));
    expect(other.body['client_id']).toBe(one.body['client_id']);
    const rows = await auth.sql<{ site_id: string | null }>(`SELECT site_id FROM clients WHERE client_id = 'claude'`);
    expect(rows).toEqual([{ site_id: null }]);
  });

  it('completes the whole flow of a platform, at its own redirect URI only', async () => {
    const client = { client_id: 'claude', redirect_uri: CLAUDE, scope: 'openid courses:write' };
    const flow = new Flow(auth);
    const callback = await flow.callback(client, 'owner');
    const { status } = await flow.exchange(callback.get('code'), { client_id: 'claude', redirect_uri: CLAUDE });
    expect(status).toBe(200);
    const elsewhere = await flow.browser.open(flow.authorizationUrl({ ...client, redirect_uri: `${CLAUDE}/more` }));
    expect([elsewhere.status, elsewhere.url.origin]).toEqual([400, auth.site.base_url]);
    const member = await flow.browser.open(flow.authorizationUrl({ ...client, scope: 'account:read' }));
    expect(member.url.searchParams.get('error')).toBe('invalid_scope');
  });

  it('counts as a connection of the site whose tools it has used, and of no other', async () => {
    const client = { client_id: 'claude', redirect_uri: CLAUDE };
    const flow = new Flow(auth);
    const callback = await flow.callback({ ...client, scope: 'openid courses:write' }, 'owner');
    expect((await flow.exchange(callback.get('code'), client)).status).toBe(200);
    const grants = auth.app.get(GrantsRepository, { strict: false });
    const counts = () =>
      Promise.all([auth.site, auth.other].map(async ({ site_id }) => (await grants.connections(site_id, 10)).count));
    expect(await counts()).toEqual([0, 0]);
    await auth.sql(`update grants set tools_used_at = now() where client_id = 'claude'`);
    expect(await counts()).toEqual([1, 0]);
  });

  it('keeps its tokens at their site, although its id is the same at each', async () => {
    const client = { client_id: 'claude', redirect_uri: CLAUDE, scope: 'openid courses:write' };
    const [flow, other] = [new Flow(auth), new Flow(auth, auth.other)];
    const code = (await flow.callback(client, 'owner')).get('code');
    const { body } = await flow.exchange(code, { client_id: 'claude', redirect_uri: CLAUDE });
    const tokens = [String(body['access_token']), String(body['refresh_token'])];
    const caller = { client_id: 'claude' };
    for (const token of tokens) {
      expect((await other.introspect(token, caller)).body).toEqual({ active: false });
      expect((await other.post('/api/oauth/revoke', { token, ...caller })).status).toBe(200);
      expect((await flow.introspect(token, caller)).body).toMatchObject({ active: true, client_id: 'claude' });
    }
    expect((await other.refresh(tokens[1]!, caller)).body['error']).toBe('invalid_grant');
    expect((await flow.refresh(tokens[1]!, caller)).status).toBe(200);
  });

  it('repeats the consent of a platform on a device and marks it as unverified, on any port', async () => {
    const request = { client_id: 'vscode', redirect_uri: 'http://127.0.0.1:51004/', scope: 'courses:read' };
    const flow = new Flow(auth);
    await flow.callback(request, 'owner');
    const again = await flow.browser.open(flow.authorizationUrl(request));
    expect(again.body).toContain('Unverified');
    expect(again.body).toContain('an app on this computer');
  });

  it('remembers the approval of a platform on the web', async () => {
    const request = { client_id: 'vscode', redirect_uri: 'https://vscode.dev/redirect', scope: 'courses:read' };
    const flow = new Flow(auth);
    const first = await flow.signIn(await flow.browser.open(flow.authorizationUrl(request)), 'admin');
    expect(first.body).not.toContain('Unverified');
    await flow.decide(first, 'approve');
    expect((await flow.browser.open(flow.authorizationUrl(request))).url.origin).toBe('https://vscode.dev');
  });

  it.each([
    ['Cyrillic letters', '\u0421laude'],
    ['full-width letters', '\uFF23laude'],
    ['a wide space', 'VS\u2003Code'],
    ['a combining accent', 'Claud\u0065\u0301'],
    ['capitals', 'CLAUDE'],
  ])('does not recognize a platform name with %s', async (_name, client_name) => {
    expect((await register({ client_name })).body['error']).toBe('invalid_client_metadata');
    expect((await register({ client_name, redirect_uris: [CLAUDE] })).body['error']).toBe('invalid_redirect_uri');
  });

  it('does not recognize a platform name with a foreign redirect URI', async () => {
    const foreign = [`${CLAUDE}/..`, CLAUDE.replace('claude.ai', 'claude.ai.evil.example')];
    for (const redirect_uris of [[CLAUDE, 'https://evil.example/'], ...foreign.map((uri) => [uri])]) {
      const { status, body } = await register({ client_name: 'Claude', redirect_uris });
      expect([redirect_uris, status, body['error']]).toEqual([redirect_uris, 400, 'invalid_redirect_uri']);
    }
    const local = await register({ client_name: 'Claude', redirect_uris: ['http://127.0.0.1:1/'] });
    expect([local.status, local.body['error']]).toEqual([400, 'invalid_client_metadata']);
  });

  it('names the platforms in the metadata and in the guide', async () => {
    const flow = new Flow(auth);
    const { body } = await flow.send('/.well-known/oauth-authorization-server');
    const platforms = PLATFORMS.map(({ name }) => name);
    expect(body['registration_policy']).toEqual({ platforms, loopback: true });
    const guide = String((await flow.send('/auth.md')).body['text']);
    expect(guide).toContain(`**Platforms by name**: ${platforms.join(', ')}`);
    expect(guide).toContain('Client ID Metadata Document');
  });
});
