import * as openid from 'openid-client';
import { CALLBACK, SECRET, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow, SERVER } from './flow.js';

/** The flow of a standard client: openid-client verifies `state`, `iss`, `nonce` and the id_token by itself. */
describe('The code flow with openid-client', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth();
  });
  afterAll(() => auth.stop());

  async function run(client_id: string, authentication: openid.ClientAuth, scope: string, name: string) {
    const { base_url } = auth.site;
    const config = await openid.discovery(new URL(base_url), client_id, undefined, authentication, {
      execute: [openid.allowInsecureRequests],
    });
    openid.enableNonRepudiationChecks(config);
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope,
      resource: base_url,
      state: expectedState,
      nonce: expectedNonce,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const flow = new Flow(auth);
    const signIn = await flow.browser.open(address.pathname + address.search);
    const arrived = await flow.decide(await flow.signIn(signIn, name), 'approve');
    const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
    const tokens = await openid.authorizationCodeGrant(config, arrived.url, checks, { resource: base_url });
    return { config, tokens };
  }

  it.each([
    ['a public member client', 'first-member', openid.None(), 'account:read', 'student'],
    ['a confidential member client', 'first-member-server', openid.ClientSecretPost(SECRET), 'account:read', 'student'],
    ['a public operator client', 'first-operator', openid.None(), 'courses:write', 'owner'],
    [
      'a confidential operator client',
      'first-operator-server',
      openid.ClientSecretPost(SECRET),
      'courses:read',
      'admin',
    ],
  ])('gives %s tokens, a verifiable id_token, and claims', async (_name, client_id, method, scope, name) => {
    const { config, tokens } = await run(client_id, method, `openid profile email ${scope}`, name);
    const claims = tokens.claims();
    expect(claims).toMatchObject({ iss: auth.site.base_url, aud: client_id, email: `${name}@school.example` });
    expect(Number(claims?.exp) - Number(claims?.iat)).toBe(600);
    expect(claims).toMatchObject({ org_id: auth.site.org_id, roles: [name], name: `The ${name}` });
    const info = await openid.fetchUserInfo(config, tokens.access_token, String(claims?.sub));
    expect(info).toMatchObject({ sub: claims?.sub, email: claims?.['email'], roles: claims?.['roles'] });

    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshed.id_token).toBeUndefined();
    expect(refreshed.scope).toBe(tokens.scope);
    await openid.tokenRevocation(config, refreshed.access_token);
    await expect(openid.fetchUserInfo(config, tokens.access_token, String(claims?.sub))).rejects.toMatchObject({
      status: 401,
    });
  });

  it('includes the time of issue and the school in the token response', async () => {
    const flow = new Flow(auth);
    const callback = await flow.callback();
    const { status, headers, body } = await flow.exchange(callback.get('code'));
    expect(status).toBe(200);
    expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 7200, school_id: auth.site.org_id });
    expect(Math.abs(Number(body['created_at']) - Date.now() / 1000)).toBeLessThan(60);
  });

  it('skips a repeated consent, and shows it again for more scopes', async () => {
    const flow = new Flow(auth, auth.site, SERVER);
    const scope = 'openid account:read';
    await flow.callback({ scope }, 'both');
    const again = await flow.browser.open(flow.authorizationUrl({ scope }));
    expect(again.url.searchParams.get('code')).not.toBeNull();
    const more = await flow.browser.open(flow.authorizationUrl({ scope: 'openid account:read account:write' }));
    expect(more.body).toContain('value="approve"');
    const second = await flow.browser.open(flow.authorizationUrl({ scope, prompt: 'consent' }));
    expect(second.body).toContain('value="approve"');
  });

  it('refuses a code after its minute', async () => {
    const flow = new Flow(auth);
    const code = (await flow.callback()).get('code');
    await auth.sql(`UPDATE authorization_codes SET expires_at = now(), payload = payload || '{"exp": 1}'`);
    const late = await flow.exchange(code);
    expect([late.status, late.body['error']]).toEqual([400, 'invalid_grant']);
  });
});
