import { eventually } from '@lyceum/testing';
import { SOON_SEEN, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import type { ApiResponse } from './flow.js';

const LOOPBACK = 'http://127.0.0.1:8400/callback';

describe('Registration (RFC 7591)', () => {
  let auth: TestAuth;
  let flow: Flow;

  beforeAll(async () => {
    auth = await startAuth({ environment: SOON_SEEN });
    flow = new Flow(auth);
  });
  beforeEach(() => auth.resetLimits());
  afterAll(() => auth.stop());

  const register = (body: unknown): Promise<ApiResponse> =>
    flow.send('/api/oauth/register', {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });

  it('creates a public operator client for a loopback address', async () => {
    const { status, headers, body } = await register({
      client_name: 'A tool',
      application_type: 'native',
      redirect_uris: [LOOPBACK],
      token_endpoint_auth_method: 'none',
    });
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({
      client_name: 'A tool',
      redirect_uris: [LOOPBACK],
      token_endpoint_auth_method: 'none',
    });
    expect(body).not.toHaveProperty('client_secret');
    expect(String(body['scope'])).toContain('courses:write');
    expect(String(body['scope'])).not.toContain('account:');
  });

  it('registers a client that completes the flow from any port of its address', async () => {
    const { body } = await register({ redirect_uris: [LOOPBACK] });
    const redirect_uri = LOOPBACK.replace('8400', '49152');
    const client = { client_id: String(body['client_id']), redirect_uri, scope: 'courses:read' };
    const callback = await flow.callback(client, 'owner');
    const { status } = await flow.exchange(callback.get('code'), { client_id: client.client_id, redirect_uri });
    expect(status).toBe(200);
  });

  it('shows at consent that a registered client is unverified', async () => {
    const { body } = await register({ redirect_uris: [LOOPBACK], client_name: 'Claude <b>helper</b>' });
    const own = new Flow(auth);
    const request = { client_id: String(body['client_id']), redirect_uri: LOOPBACK, scope: 'courses:read' };
    const page = await own.signIn(await own.browser.open(own.authorizationUrl(request)), 'owner');
    expect(page.body).toContain('Unverified');
    expect(page.body).toContain('an app on this computer');
    expect(page.body).not.toContain('<b>helper');
  });

  it.each(['Claude', 'claude.ai', 'Cl\u0430ude', 'CIaude', 'Visual  Studio Code', 'First School'])(
    'refuses %p on loopback, which is a name of a platform or of the site',
    async (client_name) => {
      const { status, body } = await register({ client_name, redirect_uris: [LOOPBACK] });
      expect([status, body['error']]).toEqual([400, 'invalid_client_metadata']);
    },
  );

  it('shows on the account page that an application is unverified', async () => {
    const { body } = await register({ redirect_uris: [LOOPBACK], client_name: 'Claude on this device' });
    const own = new Flow(auth);
    const client = { client_id: String(body['client_id']), redirect_uri: LOOPBACK };
    const callback = await own.callback({ ...client, scope: 'courses:read' }, 'owner');
    expect((await own.exchange(callback.get('code'), client)).status).toBe(200);
    const page = await own.browser.open('/account');
    expect(page.body).toMatch(/Claude on this device<\/bdi> <span class="badge warn">Unverified<\/span><\/h3>/);
    const entries = () =>
      auth.sql<{ details: object }>(
        `SELECT details FROM audit_log WHERE event = 'client.registered' AND client_id = $1`,
        [client.client_id],
      );
    const [row] = await eventually(entries, (found) => found.length > 0);
    expect(row?.details).toMatchObject({ name: 'Claude on this device', verified: false });
  });

  it.each(['http://127.0.0.1/callback', 'http://[::1]:9000/callback', 'http://localhost:33418/'])(
    'accepts the loopback address %s',
    async (uri) => {
      expect((await register({ redirect_uris: [uri] })).status).toBe(201);
    },
  );

  it.each([
    ['a fixed https callback', ['https://app.example/callback']],
    ['one loopback and one https', [LOOPBACK, 'https://app.example/callback']],
    ['https on loopback', ['https://127.0.0.1/callback']],
    ['an address that only looks like loopback', ['http://127.0.0.1.evil.example/callback']],
    ['loopback as a user name', ['http://127.0.0.1@evil.example/callback']],
    ['another address of this machine', ['http://0.0.0.0:8000/callback']],
    ['a fragment', [`${LOOPBACK}#x`]],
    ['a scheme that runs', ['javascript:alert(1)']],
    ['white space', ['http://127.0.0.1:1/ x']],
    ['a dot after the address', ['http://127.0.0.1.:1/cb']],
    ['the address as a number', ['http://2130706433:1/cb']],
    ['the address in capitals', ['HTTP://LOCALHOST:1/cb']],
  ])('refuses %s with invalid_redirect_uri', async (_name, redirect_uris) => {
    const { status, body } = await register({ client_name: 'A tool', redirect_uris });
    expect([status, body['error']]).toEqual([400, 'invalid_redirect_uri']);
  });

  it('refuses an unknown name without redirect URIs with invalid_client_metadata', async () => {
    const { status, body } = await register({ client_name: 'An unknown name' });
    expect([status, body['error']]).toEqual([400, 'invalid_client_metadata']);
  });

  it.each(['account:read', 'openid account:write'])('refuses the scope %p with invalid_scope', async (scope) => {
    const { status, body } = await register({ redirect_uris: [LOOPBACK], scope });
    expect([status, body['error']]).toEqual([400, 'invalid_scope']);
  });

  it('refuses account scopes of a registered client at the authorization too', async () => {
    const { body } = await register({ redirect_uris: [LOOPBACK] });
    const request = { client_id: String(body['client_id']), redirect_uri: LOOPBACK, scope: 'account:read' };
    const page = await flow.browser.open(flow.authorizationUrl(request));
    expect(page.url.searchParams.get('error')).toBe('invalid_scope');
  });

  it('ignores unknown members of a registration', async () => {
    const scope = 'openid offline_access unheard-of';
    const own = {
      client_id: 'first-member',
      client_secret: 'x',
      audience: 'member',
      source: 'operator',
      site_id: null,
    };
    const { status, body } = await register({ redirect_uris: [LOOPBACK], scope, software_id: 'x', ...own });
    expect(status).toBe(201);
    expect(body['client_id']).not.toBe(own.client_id);
    expect(body).not.toHaveProperty('client_secret');
    expect(body['scope']).not.toMatch(/unheard-of|account:/);
  });

  it('lets a client that registered with few scopes request more later', async () => {
    const { body } = await register({ redirect_uris: [LOOPBACK], scope: 'openid' });
    const request = { client_id: String(body['client_id']), redirect_uri: LOOPBACK, scope: 'openid courses:read' };
    const { searchParams } = (await flow.browser.open(flow.authorizationUrl(request))).url;
    expect(searchParams.get('error')).toBeNull();
  });

  it('registers a public client when a secret is requested', async () => {
    const { body } = await register({ redirect_uris: [LOOPBACK], token_endpoint_auth_method: 'client_secret_post' });
    expect(body['token_endpoint_auth_method']).toBe('none');
    expect(body).not.toHaveProperty('client_secret');
  });

  it('registers a client at this site only', async () => {
    const { body } = await register({ redirect_uris: [LOOPBACK] });
    const elsewhere = new Flow(auth, auth.other);
    const request = { client_id: String(body['client_id']), redirect_uri: LOOPBACK, scope: 'courses:read' };
    const page = await elsewhere.browser.open(elsewhere.authorizationUrl(request));
    expect([page.status, page.url.origin]).toEqual([400, auth.other.base_url]);
  });

  it.each([
    ['no JSON', '{', 400],
    ['a list', [], 400],
    ['null', 'null', 400],
    ['redirect URIs that are no list', { redirect_uris: LOOPBACK }, 400],
    ['too many redirect URIs', { redirect_uris: Array(11).fill(LOOPBACK) }, 400],
    ['redirect URIs that are objects', { redirect_uris: [{ href: LOOPBACK }] }, 400],
    ['a redirect URI without an end', { redirect_uris: [`${LOOPBACK}?${'x'.repeat(2_000)}`] }, 400],
    ['a name that is an object', { redirect_uris: [LOOPBACK], client_name: { toString: 'x' } }, 400],
    ['a prototype', '{"__proto__":{"scope":"account:read"}}', 400],
    ['a member without a value', '{"redirect_uris":', 400],
    ['unclosed brackets', '['.repeat(15_000), 400],
    ['a NUL', '\u0000', 400],
    ['too large a body', { client_name: 'x'.repeat(20_000) }, 413],
  ])('refuses a registration with %s', async (_name, body, status) => {
    const response = await register(body);
    expect(response.status).toBe(status);
    expect(response.body['error']).toMatch(/^invalid_/);
  });

  it.each([
    ['a right-to-left override', 'Cla\u202eedu'],
    ['a zero-width joiner', 'Cla\u200dude'],
    ['a line break', 'Claude\nverified'],
    ['a NUL', 'Claude\u0000'],
    ['half a surrogate', 'Claude\ud800'],
    ['only space', '   '],
    ['121 characters', 'x'.repeat(121)],
  ])('refuses a client name with %s', async (_what, client_name) => {
    const { status, body } = await register({ client_name, redirect_uris: [LOOPBACK] });
    expect([status, body['error']]).toEqual([400, 'invalid_client_metadata']);
  });

  it('refuses a body of more than 64 levels, and accepts one of 64', async () => {
    const nested = (levels: number) =>
      `{"redirect_uris":["${LOOPBACK}"],"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect((await register(nested(64))).status).toBe(201);
    for (const levels of [65, 5_000]) {
      const response = await register(nested(levels));
      expect([response.status, response.body]).toEqual([
        400,
        { error: 'invalid_request', error_description: 'The body may have at most 64 levels of lists and objects' },
      ]);
    }
  });

  it('refuses another media type and PUT', async () => {
    const form = await flow.post('/api/oauth/register', { client_name: 'x' });
    expect(form.status).toBe(415);
    const { body } = await register({ redirect_uris: [LOOPBACK] });
    const put = await flow.send(`/api/oauth/register/${String(body['client_id'])}`, { method: 'PUT', body: '{}' });
    expect(put.status).toBe(404);
  });

  it('limits registrations of one source to twenty a minute, and sets Retry-After', async () => {
    const statuses: number[] = [];
    let last: ApiResponse | undefined;
    // Twice the limit, because a minute may end in between.
    for (let attempt = 0; attempt < 41; attempt += 1) {
      last = await register({ client_name: 'x' });
      statuses.push(last.status);
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(400));
    expect(last?.status).toBe(429);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('closes registration for a site and omits it from the metadata', async () => {
    await auth.sql(
      `UPDATE sites SET settings = '{"loopback_registration": false}', version = version + 1 WHERE site_id = $1`,
      [auth.other.site_id],
    );
    const elsewhere = new Flow(auth, auth.other);
    // A replica sees a changed site a moment later.
    await eventually(
      () => elsewhere.send('/.well-known/oauth-authorization-server'),
      ({ body }) => (body['registration_policy'] as { loopback?: unknown }).loopback === false,
    );
    const refused = await elsewhere.send('/api/oauth/register', {
      method: 'POST',
      body: JSON.stringify({ redirect_uris: [LOOPBACK] }),
      headers: { 'content-type': 'application/json' },
    });
    expect([refused.status, refused.body['error']]).toEqual([400, 'invalid_client_metadata']);
  });
});
