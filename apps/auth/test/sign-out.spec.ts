import { CALLBACK, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

const SIGNED_OUT = 'https://app.example/signed-out?from=school';
const CLIENT = {
  client_id: 'with-sign-out',
  name: 'An application that signs out',
  audience: 'member' as const,
  redirect_uris: [CALLBACK],
  post_logout_redirect_uris: [SIGNED_OUT],
  scopes: ['openid', 'account:read'],
};

describe('RP-initiated logout', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth();
    for (const site of [auth.site, auth.other]) {
      const { people: _people, ...rest } = site;
      await auth.apply({ sites: [{ ...rest, clients: [CLIENT] }] });
    }
  });
  afterAll(() => auth.stop());

  async function signedIn(name = 'student') {
    const flow = new Flow(auth);
    const { id_token = '', ...tokens } = await flow.tokens(
      { client_id: CLIENT.client_id, scope: 'openid account:read' },
      name,
    );
    return { flow, id_token, ...tokens };
  }
  const at = (parameters: Record<string, string>): string =>
    `/oauth/logout?${new URLSearchParams(parameters).toString()}`;
  const back = { post_logout_redirect_uri: SIGNED_OUT, state: 'a-state' };
  const isSignedIn = async ({ browser }: Flow): Promise<boolean> =>
    (await browser.open('/account')).url.pathname === '/account';
  const endings = async (): Promise<number> =>
    Number(
      (
        await auth.sql<{ n: string }>(
          `SELECT count(*) AS n FROM audit_log WHERE event = 'session.ended' AND details->>'reason' = 'signed_out'`,
        )
      )[0]?.n,
    );

  it('lists the logout endpoint in the metadata', async () => {
    for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
      const { body } = await new Flow(auth).send(path);
      expect(body['end_session_endpoint']).toBe(`${auth.site.base_url}/oauth/logout`);
    }
  });

  it('ends the session and returns to the application with the state', async () => {
    const { flow, id_token, access_token } = await signedIn();
    const before = await endings();
    const { url } = await flow.browser.open(at({ id_token_hint: id_token, ...back }));
    expect(`${url.origin}${url.pathname}`).toBe('https://app.example/signed-out');
    expect(Object.fromEntries(url.searchParams)).toEqual({ from: 'school', state: 'a-state' });
    expect([await isSignedIn(flow), await endings()]).toEqual([false, before + 1]);
    // Applications keep their grants (ADR 16).
    expect(await flow.isActive(access_token)).toBe(true);
  });

  it('returns a state with a question mark whole', async () => {
    const { flow, id_token } = await signedIn();
    const { url } = await flow.browser.open(`${at({ id_token_hint: id_token, ...back })}?&ui_locales=en`);
    expect(url.searchParams.get('state')).toBe('a-state?');
  });

  it('shows a page for a logout without a redirect URI, and accepts a form too', async () => {
    const { flow, id_token } = await signedIn();
    const page = await flow.browser.open('/oauth/logout', new URLSearchParams({ id_token_hint: id_token }));
    expect([page.status, page.url.pathname]).toEqual([200, '/oauth/logout/done']);
    expect(page.body).toContain('You are signed out');
    expect(page.body).not.toContain('<script');
    expect(await isSignedIn(flow)).toBe(false);
  });

  it('shows a confirmation when nothing proves the owner of the session', async () => {
    const { flow } = await signedIn();
    const page = await flow.browser.open(at({ client_id: CLIENT.client_id, ...back }));
    expect([page.status, page.url.pathname]).toEqual([200, '/oauth/logout']);
    expect(await isSignedIn(flow)).toBe(true);
    const { url } = await flow.submit(page, 'sign_out', { sign_out: 'yes' });
    expect([url.origin, url.searchParams.get('state')]).toEqual(['https://app.example', 'a-state']);
    expect(await isSignedIn(flow)).toBe(false);
  });

  it.each([
    ['of another person', async () => (await signedIn('admin')).id_token],
    ['with another signature', async () => `${(await signedIn()).id_token.slice(0, -4)}AAAA`],
    ['of another issuer', async () => 'eyJhbGciOiJub25lIn0.eyJpc3MiOiJodHRwczovL2V2aWwuZXhhbXBsZSJ9.'],
    ['that is no token', async () => 'nonsense'],
  ])('shows a confirmation for an id_token_hint %s', async (_name, hint) => {
    const { flow } = await signedIn();
    const page = await flow.browser.open(at({ id_token_hint: await hint() }));
    expect(page.body).toContain('name="sign_out"');
    expect(await isSignedIn(flow)).toBe(true);
  });

  it('accepts an expired id_token_hint', async () => {
    const { flow, id_token } = await signedIn();
    const later = Date.now() + 86_400_000;
    const now = jest.spyOn(Date, 'now').mockReturnValue(later);
    try {
      const { url } = await flow.browser.open(at({ id_token_hint: id_token, ...back }));
      expect(url.origin).toBe('https://app.example');
    } finally {
      now.mockRestore();
    }
  });

  it.each([
    ['is not registered', { post_logout_redirect_uri: 'https://evil.example/' }],
    ['only begins like a registered one', { post_logout_redirect_uri: `${SIGNED_OUT}&x=1` }],
    ['comes with the client_id of another client', { ...back, client_id: 'first-member' }],
  ])('never redirects to an address that %s, and ends no session', async (_name, parameters) => {
    const { flow, id_token } = await signedIn();
    const page = await flow.browser.open(at({ id_token_hint: id_token, ...parameters }));
    expect([page.status, page.url.origin]).toEqual([400, auth.site.base_url]);
    expect(await isSignedIn(flow)).toBe(true);
  });

  it('never redirects for an unknown client or without one', async () => {
    const flow = new Flow(auth);
    const unknown = await flow.browser.open(at({ client_id: 'unknown', ...back }));
    expect([unknown.status, unknown.url.origin]).toEqual([400, auth.site.base_url]);
    const none = await flow.browser.open(at(back));
    expect([none.status, none.url.origin]).toEqual([400, auth.site.base_url]);
  });

  it('returns to the application when no session exists', async () => {
    const { url } = await new Flow(auth).browser.open(at({ client_id: CLIENT.client_id, ...back }));
    expect([url.origin, url.searchParams.get('state')]).toEqual(['https://app.example', 'a-state']);
  });

  describe('while the only accounts of the browser are parked', () => {
    /** Parks the account by "Use another account". No other person has signed in yet. */
    async function parked(name = 'student') {
      const session = await signedIn(name);
      const { flow } = session;
      const chooser = await flow.browser.open(flow.authorizationUrl({ prompt: 'select_account' }));
      await flow.submit(chooser, 'account', { account: 'another' });
      return session;
    }
    const offersAccounts = async (flow: Flow): Promise<boolean> =>
      !(await flow.browser.open(flow.authorizationUrl({ prompt: 'select_account' }))).body.includes('name="password"');

    it('ends their sessions for the id_token_hint of one of them', async () => {
      const { flow, id_token } = await parked();
      expect(await offersAccounts(flow)).toBe(true);
      const before = await endings();
      const { url } = await flow.browser.open(at({ id_token_hint: id_token, ...back }));
      expect([url.origin, await endings()]).toEqual(['https://app.example', before + 1]);
      expect(await offersAccounts(flow)).toBe(false);
    });

    it('shows a confirmation without such a hint, which ends their sessions', async () => {
      const { flow } = await parked();
      const { id_token } = await signedIn('admin');
      for (const hint of [{}, { id_token_hint: id_token }] as Record<string, string>[]) {
        const page = await flow.browser.open(at({ client_id: CLIENT.client_id, ...hint, ...back }));
        expect([page.status, page.body.includes('name="sign_out"')]).toEqual([200, true]);
      }
      const page = await flow.browser.open(at({}));
      const forged = await flow.submit(page, 'sign_out', { sign_out: 'yes', csrf: 'forged' });
      expect([forged.status, await offersAccounts(flow)]).toEqual([403, true]);
      expect((await flow.submit(page, 'sign_out', { sign_out: 'yes' })).body).toContain('You are signed out');
      expect(await offersAccounts(flow)).toBe(false);
    });
  });

  it('refuses a confirmation from another page', async () => {
    const { flow } = await signedIn();
    const forged = await flow.browser.open('/oauth/logout/confirm', new URLSearchParams({ sign_out: 'yes' }));
    expect(forged.status).toBe(403);
    const stranger = await signedIn('admin');
    const page = await stranger.flow.browser.open(at({}));
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const fixed = await flow.browser.open('/oauth/logout/confirm', new URLSearchParams({ sign_out: 'yes', csrf }));
    expect(fixed.status).toBe(403);
    expect([await isSignedIn(flow), await isSignedIn(stranger.flow)]).toEqual([true, true]);
  });

  it('ignores a changed redirect URI in a confirmation', async () => {
    const { flow } = await signedIn();
    const page = await flow.browser.open(at({ client_id: CLIENT.client_id, ...back }));
    const changed = { sign_out: 'yes', post_logout_redirect_uri: 'https://evil.example/' };
    const { status, url } = await flow.submit(page, 'sign_out', changed);
    expect([status, url.origin]).toEqual([400, auth.site.base_url]);
  });

  it('refuses an id_token_hint of another site', async () => {
    const elsewhere = new Flow(auth, auth.other);
    const { id_token = '' } = await elsewhere.tokens(
      { client_id: CLIENT.client_id, scope: 'openid account:read' },
      'both',
    );
    const { flow } = await signedIn('both');
    const page = await flow.browser.open(at({ id_token_hint: id_token }));
    expect(page.body).toContain('name="sign_out"');
  });

  it('accepts the logout URIs of a loopback client on any port', async () => {
    const flow = new Flow(auth);
    const register = async (post_logout_redirect_uris: string[]) =>
      flow.send('/api/oauth/register', {
        method: 'POST',
        body: JSON.stringify({ redirect_uris: ['http://127.0.0.1:8400/callback'], post_logout_redirect_uris }),
        headers: { 'content-type': 'application/json' },
      });
    const { status, body } = await register(['http://127.0.0.1:8400/bye']);
    expect([status, body['post_logout_redirect_uris']]).toEqual([201, ['http://127.0.0.1:8400/bye']]);
    const client_id = String(body['client_id']);
    const { url } = await flow.browser.open(
      at({ client_id, post_logout_redirect_uri: 'http://127.0.0.1:9999/bye', state: 'x' }),
    );
    expect(url.href).toBe('http://127.0.0.1:9999/bye?state=x');
    const wrong = await register(['https://app.example/bye']);
    expect([wrong.status, wrong.body['error']]).toEqual([400, 'invalid_redirect_uri']);
  });
});
