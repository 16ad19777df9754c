import { request } from 'node:http';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

interface Raw {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** fetch sets the Host header itself; this function lets the test set it. */
function raw(url: string, path: string, headers: Record<string, string | string[]>, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(url), { path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.once('error', reject).end();
  });
}

describe('The edge of the service', () => {
  let auth: TestAuth;
  let flow: Flow;

  beforeAll(async () => {
    auth = await startAuth();
    flow = new Flow(auth);
  });
  afterAll(() => auth.stop());

  it.each(['/', '/auth.md', '/oauth/authorize', '/.well-known/oauth-authorization-server', '/nothing', '/agent/auth'])(
    'returns 421 to %s for an unknown host',
    async (path) => {
      for (const host of ['unknown.example', 'localhost', 'localhost:1']) {
        const { status, headers, text } = await raw(auth.url, path, { host });
        expect([status, headers['content-type']]).toEqual([421, 'application/problem+json']);
        expect(JSON.parse(text)).toMatchObject({ code: 'unknown_host' });
      }
    },
  );

  it('finds the site by its host in any case, and by the host that a trusted proxy forwards', async () => {
    const { host } = new URL(auth.site.base_url);
    const path = '/.well-known/oauth-authorization-server';
    const upper = await raw(auth.url, path, { host: host.toUpperCase() });
    expect(JSON.parse(upper.text)).toMatchObject({ issuer: auth.site.base_url });
    const forwarded = await raw(auth.url, path, { host: 'inside', 'x-forwarded-host': host });
    expect(JSON.parse(forwarded.text)).toMatchObject({ issuer: auth.site.base_url });
  });

  it('builds URLs from the origin of the site, never from headers', async () => {
    const { host } = new URL(auth.site.base_url);
    const headers = {
      host,
      'x-forwarded-proto': 'https',
      'x-forwarded-prefix': '/evil',
      forwarded: 'host=evil.example;proto=https',
    };
    const authorize = await raw(auth.url, flow.authorizationUrl(), headers);
    expect([authorize.status, authorize.headers['location']]).toEqual([
      303,
      expect.stringMatching(/^\/oauth\/interaction\//),
    ]);
    const metadata = await raw(auth.url, '/.well-known/openid-configuration', headers);
    expect(metadata.text).not.toContain('evil');
    expect(metadata.text).not.toContain('https://localhost');
  });

  it.each([
    ['/api/oauth/token', 'POST'],
    ['/api/oauth/revoke', 'POST'],
    ['/api/oauth/register', 'POST'],
    ['/api/oauth/introspect', 'POST'],
    ['/api/oauth/userinfo', 'GET, POST'],
    ['/oauth/authorize', 'GET, POST'],
    ['/.well-known/jwks.json', 'GET, HEAD'],
    ['/auth.md', 'GET, HEAD'],
  ])('returns 405 with Allow for a wrong method at %s: %s', async (path, allow) => {
    const { status, headers, body } = await flow.send(path, { method: 'PATCH' });
    expect([status, headers.get('allow'), body['error']]).toEqual([405, allow, 'invalid_request']);
  });

  it('returns a problem for a path that does not exist', async () => {
    const { status, headers, body } = await flow.send('/oauth/nothing');
    expect([status, headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    expect(body['request_id']).toEqual(headers.get('x-request-id'));
  });

  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const UNKNOWN = [
    '/nothing',
    '/courses/knots-and-splices',
    '/favicon.ico',
    '/account/nothing',
    '/admin/nothing',
    '/oauth/nothing',
    '/agent/auth?x=<script>',
  ];

  it.each(UNKNOWN)('shows people a page for the unknown path %s, and programs a problem', async (path) => {
    const { status, headers, body } = await flow.send(path, { headers: { accept: BROWSER } });
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    const text = String(body['text']);
    expect(text).toContain('<h1>The page does not exist</h1>');
    expect(text).not.toMatch(/agent_auth|<script/);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; img-src .*frame-ancestors 'none'$/);
    expect([headers.get('cache-control'), headers.get('x-frame-options')]).toEqual(['no-store', 'DENY']);
    for (const accept of ['*/*', 'application/json', 'image/avif,image/webp,*/*']) {
      const problem = await flow.send(path, { headers: { accept } });
      expect([problem.status, problem.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    }
    const posted = await flow.send(path, { method: 'POST', headers: { accept: BROWSER } });
    expect([posted.status, posted.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  });

  it('shows people a page with 405 at the address of a form, and no page of a protocol endpoint', async () => {
    const form = await flow.send('/account/sign-out', { headers: { accept: BROWSER } });
    expect([form.status, form.headers.get('allow')]).toEqual([405, 'POST']);
    expect(form.headers.get('content-type')).toContain('text/html');
    const token = await flow.send('/api/oauth/token', { headers: { accept: 'application/json' } });
    expect([token.status, token.body['error']]).toEqual([405, 'invalid_request']);
  });

  it.each([
    ['/account/sign-in', BROWSER, 'text/html; charset=utf-8'],
    ['/account/sign-in', '*/*', 'application/json; charset=utf-8'],
    ['/api/oauth/register', BROWSER, 'application/json; charset=utf-8'],
  ])('refuses a body of another type at %s for %s with %s', async (path, accept, type) => {
    const headers = { accept, 'content-type': 'text/plain' };
    const refused = await flow.send(path, { method: 'POST', body: 'x', headers });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([415, type]);
    const isPage = type.startsWith('text/html');
    expect(JSON.stringify(refused.body).includes('<h1>This request cannot be completed</h1>')).toBe(isPage);
    expect(refused.headers.get('accept-post')).not.toBeNull();
  });

  it.each(['/api/oauth/token', '/api/oauth/revoke', '/api/oauth/register', '/api/oauth/userinfo'])(
    'allows scripts of every origin to use %s without credentials',
    async (path) => {
      const preflight = await flow.send(path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://app.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type',
        },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
      expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization,content-type');
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
      const refused = await flow.send(path, { method: 'POST', headers: { origin: 'https://app.example' } });
      expect(refused.status).toBeLessThan(500);
      expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    },
  );

  it('refuses scripts of other origins at authorization and introspection', async () => {
    for (const path of [flow.authorizationUrl(), '/api/oauth/introspect']) {
      const { headers } = await flow.send(path, { headers: { origin: 'https://app.example' } });
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('returns OAuth errors as JSON with no-store for every Accept header', async () => {
    for (const accept of ['text/html', '*/*', 'application/xml']) {
      const { status, headers, body } = await flow.post('/api/oauth/token', { grant_type: 'x' }, { accept });
      expect([status, headers.get('cache-control')]).toEqual([400, 'no-store']);
      expect(headers.get('content-type')).toContain('application/json');
      expect(Object.keys(body).sort()).toEqual(['error', 'error_description']);
    }
  });

  it.each([
    ['an unknown grant type', { grant_type: 'password', client_id: 'first-member' }, 400, 'unsupported_grant_type'],
    ['no grant type', { client_id: 'first-member' }, 400, 'invalid_request'],
    [
      'client credentials',
      { grant_type: 'client_credentials', client_id: 'first-member' },
      400,
      'unsupported_grant_type',
    ],
    [
      'an unknown client',
      { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'unknown' },
      401,
      'invalid_client',
    ],
    ['no client', { grant_type: 'refresh_token', refresh_token: 'x' }, 400, 'invalid_request'],
    [
      'an unknown code',
      { grant_type: 'authorization_code', code: 'x', client_id: 'first-member', redirect_uri: 'x' },
      400,
      'invalid_grant',
    ],
    ['no code', { grant_type: 'authorization_code', client_id: 'first-member' }, 400, 'invalid_request'],
  ])('refuses a token request with %s', async (_name, form, status, error) => {
    const response = await flow.post('/api/oauth/token', form);
    expect([response.status, response.body['error']]).toEqual([status, error]);
  });

  it('refuses a secret in the Authorization header, in the query, and for a public client', async () => {
    const form = { grant_type: 'refresh_token', refresh_token: 'x' };
    const basic = `Basic ${Buffer.from('first-member-server:a-secret-for-tests-only').toString('base64')}`;
    expect((await flow.post('/api/oauth/token', form, { authorization: basic })).status).toBe(401);
    const query = '/api/oauth/token?client_id=first-member-server&client_secret=a-secret-for-tests-only';
    expect((await flow.post(query, form)).status).toBe(400);
    const needless = await flow.post('/api/oauth/token', { ...form, client_id: 'first-member', client_secret: 'x' });
    expect([needless.status, needless.body['error']]).toEqual([401, 'invalid_client']);
  });

  it.each(['/api/oauth/token', '/api/oauth/revoke', '/api/oauth/register'])(
    'names the body limit in the error of %s',
    async (path) => {
      const type = path.endsWith('register') ? 'application/json' : 'application/x-www-form-urlencoded';
      const body = 'x'.repeat(16_385);
      const { status, body: problem } = await flow.send(path, {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      });
      expect([status, problem['error']]).toEqual([413, 'invalid_request']);
      expect(problem['error_description']).toContain('16384');
      const wrong = await flow.send(path, { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } });
      expect([wrong.status, wrong.body['error']]).toEqual([415, 'invalid_request']);
      const none = await flow.send(path, { method: 'POST' });
      expect(none.status).toBe(415);
    },
  );

  it('reads the token at UserInfo after any number of spaces (RFC 6750 §2.1)', async () => {
    const { access_token } = await new Flow(auth).tokens();
    for (const spaces of [' ', '  ', '     ']) {
      const headers = { authorization: `Bearer${spaces}${access_token}` };
      expect((await flow.send('/api/oauth/userinfo', { headers })).status).toBe(200);
    }
  });

  it.each([
    ['nothing', {}, 'resource_metadata='],
    ['another scheme', { authorization: 'Basic eDp5' }, 'error="invalid_token"'],
    ['an unknown token', { authorization: 'Bearer unknown' }, 'error="invalid_token"'],
    ['a malformed token', { authorization: 'Bearer a b' }, 'error="invalid_token"'],
    ['no space before the token', { authorization: 'Beareraccess-token' }, 'error="invalid_token"'],
  ])('returns 401 with a link to the metadata for UserInfo with %s', async (_name, headers, part) => {
    const { status, headers: received, body } = await flow.send('/api/oauth/userinfo', { headers });
    expect([status, body['error']]).toEqual([401, 'invalid_token']);
    expect(received.get('www-authenticate')).toContain(part);
    expect(received.get('www-authenticate')).toContain(
      `resource_metadata="${auth.site.base_url}/.well-known/oauth-protected-resource"`,
    );
  });
});
