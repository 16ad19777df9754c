import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow, VERIFIER } from './flow.js';

describe('PKCE (RFC 7636) and state', () => {
  let auth: TestAuth;
  let flow: Flow;

  beforeAll(async () => {
    auth = await startAuth();
    flow = new Flow(auth);
  });
  afterAll(() => auth.stop());

  it.each([
    ['no challenge', { code_challenge: null, code_challenge_method: null }],
    ['a challenge without its method', { code_challenge_method: null }],
    ['the method plain', { code_challenge_method: 'plain', code_challenge: VERIFIER }],
    ['a method without a challenge', { code_challenge: null }],
    ['a challenge that is no digest', { code_challenge: 'short' }],
    ['no state', { state: null }],
    ['another response type', { response_type: 'code id_token' }],
    ['the implicit flow', { response_type: 'token' }],
  ])('refuses %s on the redirect', async (_name, overrides) => {
    const page = await flow.browser.open(flow.authorizationUrl(overrides));
    const { searchParams, hash } = page.url;
    const response = searchParams.has('error') ? searchParams : new URLSearchParams(hash.slice(1));
    expect(['invalid_request', 'unsupported_response_type']).toContain(response.get('error'));
    expect(response.get('iss')).toBe(auth.site.base_url);
  });

  it.each([
    ['no verifier', { code_verifier: null }],
    ['another verifier', { code_verifier: VERIFIER.split('').reverse().join('') }],
  ])('refuses an exchange with %s, and keeps the code for its owner', async (_name, overrides) => {
    const code = (await flow.callback()).get('code');
    const wrong = await flow.exchange(code, overrides);
    expect([wrong.status, wrong.body['error']]).toEqual([400, 'invalid_grant']);
    expect((await flow.exchange(code)).status).toBe(200);
  });

  it('refuses a code with another redirect URI, or from another client', async () => {
    const code = (await flow.callback()).get('code');
    const elsewhere = await flow.exchange(code, { redirect_uri: 'http://127.0.0.1:7778/callback' });
    expect([elsewhere.status, elsewhere.body['error']]).toEqual([400, 'invalid_grant']);
    const stolen = await flow.exchange(code, { client_id: 'first-operator' });
    expect([stolen.status, stolen.body['error']]).toEqual([400, 'invalid_grant']);
  });

  it('refuses a code after its minute', async () => {
    const code = (await flow.callback()).get('code');
    await auth.sql(`UPDATE authorization_codes SET expires_at = now(), payload = payload || '{"exp": 1}'`);
    const late = await flow.exchange(code);
    expect([late.status, late.body['error']]).toEqual([400, 'invalid_grant']);
  });
});
