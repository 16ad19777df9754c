import { CALLBACK, member, memberServer, site, type ApiResponse, type Fields } from '../security/oauth/attack.js';
import { METADATA } from './documents.js';
import { prove, type Proof } from './prove.js';
import { authorizationError, walker } from './walker.js';

const SECRET = memberServer.client_secret!;

/** An authorization request without the parameter fails. */
const needed =
  (parameter: string, error: string): Proof =>
  async () =>
    expect(await authorizationError(walker(), { [parameter]: null })).toBe(error);

/** Without the parameter, auth shows a page, because no valid redirect URI is known. */
const neededForARedirect =
  (parameter: string): Proof =>
  async () => {
    const { status, headers } = await walker().send(walker().authorization({ [parameter]: null }));
    expect([status, headers['location']]).toEqual([400, undefined]);
  };

const called = ({ status, body }: ApiResponse): unknown => (status === 200 ? 200 : body['error']);

/** A code exchange without the parameter fails. */
const neededAtExchange =
  (parameter: string, error: string): Proof =>
  async () => {
    const actor = walker();
    expect(called(await actor.exchange(await actor.code(), { [parameter]: null }))).toBe(error);
    expect(called(await actor.exchange(await actor.code()))).toBe(200);
  };

const returnsAtExchange =
  (field: string, value: unknown): Proof =>
  async () => {
    const actor = walker();
    const { body } = await actor.exchange(await actor.code());
    expect(body[field]).toEqual(value);
  };

async function refreshed(overrides: Fields): Promise<unknown> {
  const actor = walker();
  const { refresh_token } = await actor.tokens();
  return called(await actor.refresh(refresh_token, overrides));
}

async function revoked(overrides: Fields): Promise<unknown> {
  const actor = walker();
  const { access_token } = await actor.tokens();
  const form = { token: access_token, client_id: member.client_id, ...overrides };
  const response = await actor.send('/api/oauth/revoke', { form });
  return response.status === 200 ? { active: await actor.isActive(access_token) } : response.body['error'];
}

/** The tokens of the confidential client; refreshing and revoking them needs its secret. */
async function withoutSecret(path: string): Promise<ApiResponse> {
  const actor = walker();
  const { client_id } = memberServer;
  const { refresh_token } = await actor.tokens({ client_id, client_secret: SECRET });
  const form = { grant_type: 'refresh_token', refresh_token, token: refresh_token, client_id };
  const right = await actor.send(path, { form: { ...form, client_secret: SECRET } });
  expect(right.status).toBe(200);
  return actor.send(path, { form });
}
const needsSecret =
  (path: string): Proof =>
  async () =>
    expect(called(await withoutSecret(path))).toBe('invalid_client');

// prompt=none does not work for a public client on loopback.
const KNOWN = { client_id: memberServer.client_id };

/** The page for a person who is signed in and has approved the client. */
const prompts =
  (prompt: string, expected: 'a code' | 'sign-in' | 'choice' | 'consent'): Proof =>
  async () => {
    const actor = walker();
    await actor.callback(KNOWN);
    const { body, url } = await actor.browser.open(actor.authorization({ ...KNOWN, prompt }));
    const pages = { 'sign-in': 'name="password"', choice: 'name="account"', consent: 'name="decision"' };
    const [page] = Object.entries(pages).find(([, field]) => body.includes(field)) ?? ['no page'];
    expect(url.searchParams.has('code') ? 'a code' : page).toBe(expected);
  };

prove('requests', {
  'auth.md Authorize: response_type=code': needed('response_type', 'invalid_request'),
  'auth.md Authorize: client_id': neededForARedirect('client_id'),
  'auth.md Authorize: redirect_uri': neededForARedirect('redirect_uri'),
  'auth.md Authorize: scope': needed('scope', 'invalid_scope'),
  'auth.md Authorize: state': needed('state', 'invalid_request'),
  'auth.md Authorize: code_challenge': needed('code_challenge', 'invalid_request'),
  // RFC 7636 §4.3: the default is `plain`.
  'auth.md Authorize: code_challenge_method=S256': needed('code_challenge_method', 'invalid_request'),
  'auth.md Authorize: resource={base_url}': needed('resource', 'invalid_target'),
  async 'auth.md Authorize: nonce'() {
    const { id_token } = await walker().tokens({ nonce: 'a-nonce' });
    expect(Buffer.from(id_token.split('.')[1]!, 'base64url').toString()).toContain('"nonce":"a-nonce"');
  },
  async 'auth.md Authorize: code'() {
    const response = await walker().callback({ state: 'a-state' });
    expect([response.get('code'), response.get('state')]).toEqual([expect.any(String), 'a-state']);
  },
  async 'auth.md Authorize: iss'() {
    expect((await walker().callback()).get('iss')).toBe(site.base_url);
  },
  async 'auth.md Authorize: prompt'() {
    expect(await authorizationError(walker(), { prompt: 'another' })).toBe('invalid_request');
  },
  'auth.md Authorize: none': prompts('none', 'a code'),
  'auth.md Authorize: login': prompts('login', 'sign-in'),
  'auth.md Authorize: consent': prompts('consent', 'consent'),
  'auth.md Authorize: select_account': prompts('select_account', 'choice'),
  async 'auth.md Authorize: invalid_scope'() {
    expect(await authorizationError(walker(), { scope: 'openid unknown' })).toBe('invalid_scope');
  },
  async 'auth.md Authorize: offline_access'() {
    const tokens = await walker().tokens({ scope: 'openid account:read offline_access' });
    expect([tokens.scope, typeof tokens.refresh_token]).toEqual(['openid account:read', 'string']);
  },

  async 'auth.md Exchange: grant_type=authorization_code'() {
    const actor = walker();
    expect(called(await actor.exchange(await actor.code(), { grant_type: null }))).toBe('invalid_request');
  },
  'auth.md Exchange: code': neededAtExchange('code', 'invalid_request'),
  'auth.md Exchange: redirect_uri': neededAtExchange('redirect_uri', 'invalid_request'),
  'auth.md Exchange: client_id': neededAtExchange('client_id', 'invalid_request'),
  'auth.md Exchange: code_verifier': neededAtExchange('code_verifier', 'invalid_grant'),
  'auth.md Exchange: resource': neededAtExchange('resource', 'invalid_target'),
  async 'auth.md Exchange: invalid_target'() {
    const actor = walker();
    const other = await actor.exchange(await actor.code(), { resource: 'https://other.example' });
    expect(called(other)).toBe('invalid_target');
    const missing = await actor.exchange(await actor.code(), { resource: null });
    expect(missing.body['error_description']).toContain(`Repeat resource=${site.base_url} in the token request`);
  },
  async 'auth.md Exchange: client_secret'() {
    const actor = walker();
    const { client_id } = memberServer;
    const exchange = async (client_secret: string | null): Promise<unknown> =>
      called(await actor.exchange(await actor.code({ client_id }), { client_id, client_secret }));
    expect([await exchange(null), await exchange(SECRET)]).toEqual(['invalid_client', 200]);
  },
  'auth.md Exchange: access_token': returnsAtExchange('access_token', expect.stringMatching(/^[\w-]{43}$/)),
  'auth.md Exchange: token_type': returnsAtExchange('token_type', 'Bearer'),
  'auth.md Exchange: expires_in': returnsAtExchange('expires_in', expect.any(Number)),
  'auth.md Exchange: refresh_token': returnsAtExchange('refresh_token', expect.stringMatching(/^[\w-]{43}$/)),
  'auth.md Exchange: scope': returnsAtExchange('scope', 'openid account:read'),
  'auth.md Exchange: created_at': returnsAtExchange('created_at', expect.any(Number)),
  'auth.md Exchange: school_id': returnsAtExchange('school_id', site.org_id),
  'auth.md Exchange: id_token': returnsAtExchange('id_token', expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/)),
  async 'auth.md Exchange: id_token_signing_alg_values_supported'(name) {
    const { id_token } = await walker().tokens();
    const [header = ''] = id_token.split('.');
    const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg: string };
    const { body } = await walker().send(METADATA);
    expect([name, body[name]]).toEqual([name, [alg]]);
  },
  async 'auth.md Exchange: openid'() {
    expect((await walker().tokens({ scope: 'account:read' })).id_token).toBeUndefined();
  },

  async 'auth.md Refresh: grant_type=refresh_token'() {
    expect([await refreshed({}), await refreshed({ grant_type: null })]).toEqual([200, 'invalid_request']);
    const actor = walker();
    const { body } = await actor.refresh((await actor.tokens()).refresh_token);
    expect(body['id_token']).toBeUndefined();
  },
  async 'auth.md Refresh: refresh_token'() {
    expect(await refreshed({ refresh_token: null })).toBe('invalid_request');
  },
  async 'auth.md Refresh: client_id'() {
    expect(await refreshed({ client_id: null })).toBe('invalid_request');
  },
  'auth.md Refresh: client_secret': needsSecret('/api/oauth/token'),

  async 'auth.md Revoke: token'() {
    expect([await revoked({}), await revoked({ token: null })]).toEqual([{ active: false }, 'invalid_request']);
  },
  async 'auth.md Revoke: client_id'() {
    expect(await revoked({ client_id: null })).toBe('invalid_request');
  },
  'auth.md Revoke: client_secret': needsSecret('/api/oauth/revoke'),
  async 'auth.md Revoke: id_token_hint'() {
    const [signedIn, other] = [walker(), walker()];
    const [{ id_token }, { id_token: foreign }] = [await signedIn.tokens(), await other.tokens({}, 'owner')];
    const signOut = (hint: string) => signedIn.browser.open(`/oauth/logout?id_token_hint=${hint}`);
    expect((await signOut(foreign)).body).toContain('name="sign_out"');
    expect((await signOut(id_token)).url.pathname).toBe('/oauth/logout/done');
  },
  async 'auth.md Revoke: post_logout_redirect_uri'() {
    const post_logout_redirect_uri = 'http://127.0.0.1:8400/bye';
    const json = { redirect_uris: [CALLBACK], post_logout_redirect_uris: [post_logout_redirect_uri] };
    const { body } = await walker().send('/api/oauth/register', { json });
    const signOut = async (more: Record<string, string>) => {
      const query = new URLSearchParams({ client_id: String(body['client_id']), state: 'a-state', ...more });
      return walker().browser.open(`/oauth/logout?${query.toString()}`);
    };
    expect((await signOut({ post_logout_redirect_uri })).url.href).toBe(`${post_logout_redirect_uri}?state=a-state`);
    expect((await signOut({ post_logout_redirect_uri: `${post_logout_redirect_uri}/` })).status).toBe(400);
  },
  async 'auth.md Revoke: state'() {
    // The person sees a page; the state does not lead to a redirect.
    const page = await walker().browser.open('/oauth/logout?state=a-state');
    expect(page.url.pathname).toBe('/oauth/logout/done');
  },
});

it('requires equal redirect URIs at authorization and exchange', async () => {
  const actor = walker();
  expect(called(await actor.exchange(await actor.code(), { redirect_uri: `${CALLBACK}/` }))).toBe('invalid_grant');
});
