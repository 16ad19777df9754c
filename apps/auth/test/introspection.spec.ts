import { RESOURCE_SERVER, SECRET, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

const YOUNG_SECRET = 'a-younger-server-secret';

describe('Introspection (RFC 7662)', () => {
  let auth: TestAuth;
  let flow: Flow;

  beforeAll(async () => {
    const { client_id, client_secret } = RESOURCE_SERVER;
    const secrets = [client_secret, YOUNG_SECRET].join();
    auth = await startAuth({ environment: { RESOURCE_SERVERS: JSON.stringify({ [client_id]: secrets }) } });
    flow = new Flow(auth);
  });
  afterAll(() => auth.stop());

  it('describes a token to a resource server', async () => {
    const { access_token } = await flow.tokens();
    const { status, headers, body } = await flow.introspect(access_token);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      active: true,
      token_type: 'Bearer',
      sub: auth.site.people.find(({ email }) => email.startsWith('student'))?.member_id,
      person_id: auth.site.people.find(({ email }) => email.startsWith('student'))?.person_id,
      client_id: 'first-member',
      grant_id: expect.any(String),
      audience: 'member',
      roles: ['student'],
      org_id: auth.site.org_id,
      iss: auth.site.base_url,
      aud: auth.site.base_url,
      scope: 'openid profile email account:read',
      iat: expect.any(Number),
      exp: expect.any(Number),
    });
    expect(Number(body['exp']) - Number(body['iat'])).toBe(7200);
  });

  it('accepts both secrets of a resource server while it rotates, and not their list', async () => {
    const { access_token } = await flow.tokens();
    const introspect = (client_secret: string) => flow.introspect(access_token, { ...RESOURCE_SERVER, client_secret });
    expect((await introspect(YOUNG_SECRET)).body).toMatchObject({ active: true });
    expect((await introspect(RESOURCE_SERVER.client_secret)).body).toMatchObject({ active: true });
    expect((await introspect(`${RESOURCE_SERVER.client_secret},${YOUNG_SECRET}`)).status).toBe(401);
  });

  it('serves resource servers at every host, because they use an internal address', async () => {
    const { access_token } = await flow.tokens();
    const body = new URLSearchParams({ token: access_token, ...RESOURCE_SERVER });
    const response = await fetch(new URL('/api/oauth/introspect', auth.url), { method: 'POST', body });
    expect(await response.json()).toMatchObject({ active: true, aud: auth.site.base_url });
  });

  it('returns only active: false for refresh tokens and for unknown, long and expired tokens', async () => {
    const { access_token, refresh_token } = await flow.tokens();
    for (const token of [refresh_token, 'unknown', 'x'.repeat(5000), `${access_token}x`]) {
      expect((await flow.introspect(token)).body).toEqual({ active: false });
    }
    await auth.sql(`UPDATE access_tokens SET expires_at = now()`);
    expect((await flow.introspect(access_token)).body).toEqual({ active: false });
  });

  it('describes to a client its own tokens and no others', async () => {
    const client = { client_id: 'first-member-server', client_secret: SECRET };
    const own = await new Flow(auth).tokens(client);
    const foreign = await flow.tokens();
    expect((await flow.introspect(own.access_token, client)).body).toMatchObject({ active: true });
    expect((await flow.introspect(own.refresh_token, client)).body).toMatchObject({ active: true });
    expect((await flow.introspect(foreign.access_token, client)).body).toEqual({ active: false });
    expect((await flow.introspect(own.access_token, { client_id: 'first-member' })).body).toEqual({ active: false });
    const wrong = await flow.introspect(own.access_token, { ...client, client_secret: 'wrong' });
    expect(wrong.status).toBe(401);
  });

  it('hides internal ids and roles from clients, and returns no token_type for a refresh token', async () => {
    const client = { client_id: 'first-member-server', client_secret: SECRET };
    const tokens = await new Flow(auth).tokens(client);
    const [access, refresh] = [
      (await flow.introspect(tokens.access_token, client)).body,
      (await flow.introspect(tokens.refresh_token, client)).body,
    ];
    for (const body of [access, refresh]) {
      expect(body).toMatchObject({ active: true, client_id: client.client_id, aud: auth.site.base_url });
    }
    const members = [
      'active',
      'sub',
      'client_id',
      'audience',
      'org_id',
      'iss',
      'aud',
      'scope',
      'iat',
      'exp',
    ].toSorted();
    expect(Object.keys(refresh).toSorted()).toEqual(members);
    expect(Object.keys(access).toSorted()).toEqual([...members, 'token_type'].toSorted());
    expect(access['token_type']).toBe('Bearer');
  });

  it.each([
    ['no token', { token: null }, 400],
    ['an empty token', { token: '' }, 400],
  ])('refuses introspection with %s', async (_name, form, status) => {
    const response = await flow.post('/api/oauth/introspect', { ...RESOURCE_SERVER, ...form });
    expect([response.status, response.body['error']]).toEqual([status, 'invalid_request']);
  });

  it('refuses introspection without a form, with a too large one, with a repeated parameter, and by GET', async () => {
    const send = (init: RequestInit) => flow.send('/api/oauth/introspect', init);
    const json = await send({ method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
    expect([json.status, json.body['error']]).toEqual([415, 'invalid_request']);
    const large = await send({ method: 'POST', body: new URLSearchParams({ token: 'x'.repeat(20_000) }) });
    expect([large.status, large.body['error']]).toEqual([413, 'invalid_request']);
    expect(large.body['error_description']).toContain('16384');
    const twice = await send({ method: 'POST', body: new URLSearchParams('token=a&token=b&client_id=member-api') });
    expect([twice.status, twice.body['error']]).toEqual([400, 'invalid_request']);
    const get = await send({});
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
