import { CALLBACK, SECRET, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

const HTTPS = 'https://app.example/callback';
const APP_SCHEME = 'com.example.app:/callback';
const CLIENT = {
  client_id: 'on-the-web',
  name: 'A page on the web',
  audience: 'member' as const,
  redirect_uris: [HTTPS, APP_SCHEME],
  scopes: ['openid', 'account:read'],
};
const SCOPE = 'openid account:read';

describe('A remembered approval at a redirect URI', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth();
    const { people: _people, ...site } = auth.site;
    await auth.apply({ sites: [{ ...site, clients: [CLIENT] }] });
  });
  afterAll(() => auth.stop());

  /** The result of the same request again, with and without a prompt. */
  async function again(request: Record<string, string>, client_secret: string | null = null) {
    const flow = new Flow(auth);
    const callback = await flow.callback(request);
    const { redirect_uri = CALLBACK, client_id = '' } = request;
    const form = { client_id, redirect_uri, client_secret };
    const { status } = await flow.exchange(callback.get('code'), form);
    const silent = await flow.browser.open(flow.authorizationUrl({ ...request, prompt: 'none' }));
    const open = await flow.browser.open(flow.authorizationUrl(request));
    const needsConsent = open.body.includes('value="approve"');
    return {
      status,
      silent: silent.url.searchParams.get('error') ?? (silent.url.searchParams.has('code') ? 'a code' : 'nothing'),
      open: open.url.searchParams.has('code') ? 'a code' : needsConsent ? 'the question' : 'nothing',
      flow,
    };
  }

  it.each([
    ['a loopback address', { client_id: 'first-member', scope: SCOPE }],
    ['the scheme of an app', { client_id: CLIENT.client_id, redirect_uri: APP_SCHEME, scope: SCOPE }],
  ])('repeats the consent for a public client on %s (RFC 8252 §8.6)', async (_name, request) => {
    const expected = { status: 200, silent: 'consent_required', open: 'the question' };
    expect(await again(request)).toMatchObject(expected);
  });

  it('repeats the consent for a registered client, on another port too', async () => {
    const { body } = await new Flow(auth).send('/api/oauth/register', {
      method: 'POST',
      body: JSON.stringify({ client_name: 'A tool', redirect_uris: ['http://127.0.0.1:8400/callback'] }),
      headers: { 'content-type': 'application/json' },
    });
    const flow = new Flow(auth);
    const request = { client_id: String(body['client_id']), scope: 'courses:read' };
    await flow.callback({ ...request, redirect_uri: 'http://127.0.0.1:8400/callback' }, 'owner');
    const elsewhere = { ...request, redirect_uri: 'http://127.0.0.1:50998/callback', prompt: 'none' };
    const { url } = await flow.browser.open(flow.authorizationUrl(elsewhere));
    expect([url.searchParams.get('error'), url.searchParams.get('code')]).toEqual(['consent_required', null]);
  });

  it('remembers the approval of a public client on https, so that it needs no interaction', async () => {
    const request = { client_id: CLIENT.client_id, redirect_uri: HTTPS, scope: SCOPE };
    expect(await again(request)).toMatchObject({ status: 200, silent: 'a code', open: 'a code' });
  });

  it('remembers the approval of a confidential client on loopback, whose code needs its secret', async () => {
    const request = { client_id: 'first-member-server', scope: SCOPE };
    expect(await again(request, SECRET)).toMatchObject({ status: 200, silent: 'a code', open: 'a code' });
  });
});
