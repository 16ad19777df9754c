import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

describe('The parameters of an authorization request', () => {
  let auth: TestAuth;
  let flow: Flow;

  beforeAll(async () => {
    auth = await startAuth();
    flow = new Flow(auth);
  });
  afterAll(() => auth.stop());

  it.each([
    ['an unknown client', { client_id: 'unknown' }],
    ['a client of another site', { client_id: 'second-member' }],
    ['no client', { client_id: null }],
    ['another redirect URI', { redirect_uri: 'https://evil.example/callback' }],
    ['a redirect URI with a path added', { redirect_uri: 'http://127.0.0.1:7777/callback/../evil' }],
    ['a redirect URI with a query added', { redirect_uri: 'http://127.0.0.1:7777/callback?x=1' }],
    ['a redirect URI with a user', { redirect_uri: 'http://127.0.0.1:7777@evil.example/callback' }],
    ['a redirect URI with a fragment', { redirect_uri: 'http://127.0.0.1:7777/callback#x' }],
    ['a redirect URI with https', { redirect_uri: 'https://127.0.0.1:7777/callback' }],
    ['localhost for 127.0.0.1', { redirect_uri: 'http://localhost:7777/callback' }],
    ['no redirect URI', { redirect_uri: null }],
    ['an encoded line break', { redirect_uri: 'http://127.0.0.1:7777/callback\r\nx: y' }],
  ])('shows a page and never redirects for %s', async (_name, overrides) => {
    const page = await flow.browser.open(flow.authorizationUrl(overrides));
    expect([page.status, page.url.origin]).toEqual([400, auth.site.base_url]);
    expect(page.body).toContain('<h1>This request cannot be completed</h1>');
    expect(page.body).not.toContain('evil.example');
  });

  it('accepts any port of a loopback redirect URI (RFC 8252 §7.3)', async () => {
    const redirect_uri = 'http://127.0.0.1:50123/callback';
    const callback = await flow.callback({ redirect_uri }, 'owner');
    expect((await flow.exchange(callback.get('code'), { redirect_uri })).status).toBe(200);
  });

  it('accepts the other redirect URIs of a client that has https on loopback, which needs http', async () => {
    const [web, local] = ['https://app.example/cb', 'https://localhost:3000/cb'];
    const uris = [web, 'http://localhost:3000/cb', local];
    await auth.sql(`UPDATE clients SET redirect_uris = $1 WHERE client_id = 'first-operator'`, [uris]);
    const open = (redirect_uri: string) => {
      const client = { client_id: 'first-operator', scope: 'openid courses:read', redirect_uri };
      return flow.browser.open(flow.authorizationUrl({ ...client, prompt: 'login' }));
    };
    expect((await open(web)).body).toContain('name="password"');
    expect((await open('http://localhost:4000/cb')).body).toContain('name="password"');
    expect((await open(local)).status).toBe(400);
  });

  it('treats parameters without a value as omitted (RFC 6749 §3.1)', async () => {
    const names = ['response_mode', 'prompt', 'max_age', 'nonce', 'login_hint', 'id_token_hint', 'ui_locales'];
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    const page = await new Flow(auth).browser.open(flow.authorizationUrl(empty));
    expect([page.url.search, page.body.includes('name="password"')]).toEqual(['', true]);
  });

  it('ignores a nonce without the scope openid, which gives no id_token (RFC 6749 §3.1)', async () => {
    const request = { scope: 'account:read', nonce: 'a-nonce' };
    const callback = await new Flow(auth).callback(request);
    const { status, body } = await flow.exchange(callback.get('code'));
    expect([status, 'access_token' in body, 'id_token' in body]).toEqual([200, true, false]);
  });

  it.each([null, 'consent'])('refuses offline_access alone, which is ignored, with the prompt %s', async (prompt) => {
    const page = await new Flow(auth).browser.open(flow.authorizationUrl({ scope: 'offline_access', prompt }));
    expect(page.url.searchParams.get('error')).toBe('invalid_scope');
  });

  it.each(['client_id', 'redirect_uri', 'scope', 'state', 'code_challenge'])('refuses %s given twice', async (name) => {
    const page = await flow.browser.open(`${flow.authorizationUrl()}&${name}=again`);
    const error = page.url.searchParams.get('error') ?? page.body;
    expect(error).toContain('invalid_request');
  });

  it.each(['request=x', 'request_uri=urn:x', 'registration={}'])('refuses the parameter %s', async (parameter) => {
    const page = await flow.browser.open(`${flow.authorizationUrl()}&${parameter}`);
    expect(page.url.searchParams.get('error')).toMatch(/_not_supported$/);
  });
});
