import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startMemberApi } from './member-api.js';
import type { ReceivedResponse, RequestOptions, TestApi } from './member-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startMemberApi();
});
afterAll(() => api.stop());

const MUTATION = 'mutation { markNotificationRead(input: { notificationId: "x" }) { unreadNotificationCount } }';
const code = ({ body }: ReceivedResponse) => body.errors?.[0]?.extensions.code;
const metadata = () => `resource_metadata="${api.sites[0].base_url}/.well-known/oauth-protected-resource"`;

describe('the order of refusal', () => {
  /** Each request also violates every later check. */
  const wrongInAllWays = { method: 'PUT', body: '[{', headers: { 'content-type': 'text/plain', accept: 'text/html' } };

  it('checks the host first', async () => {
    const response = await api.query('', { ...wrongInAllWays, token: null, headers: { host: 'unknown.example' } });
    expect([response.status, code(response)]).toEqual([421, 'UNKNOWN_HOST']);
  });

  it.each<[string, () => Promise<RequestOptions>]>([
    ['no token', () => Promise.resolve({ token: null })],
    ['a token that was never issued', () => Promise.resolve({ token: 'x'.repeat(43) })],
    ['credentials of another scheme', () => Promise.resolve({ token: null, headers: { authorization: 'Basic eDp5' } })],
    ['two tokens', async () => ({ token: `${await api.token()}, Bearer ${await api.token()}` })],
    ['a token of the other site', async () => ({ token: await api.token({ site: api.sites[1] }) })],
    [
      'a token in the query alone',
      async () => ({ token: null, path: `/member/graphql?access_token=${await api.token()}` }),
    ],
  ])('returns 401 with a pointer for %s', async (_what, caller) => {
    const given = await caller();
    const response = await api.query('', {
      ...wrongInAllWays,
      ...given,
      headers: { ...wrongInAllWays.headers, ...given.headers },
    });
    expect([response.status, code(response)]).toEqual([401, 'INVALID_TOKEN']);
    expect(response.headers['www-authenticate']).toContain('Bearer error="invalid_token"');
    expect(response.headers['www-authenticate']).toContain(metadata());
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('returns 403 for the token of an operator', async () => {
    const token = await api.token({ audience: 'operator', scope: 'openid courses:read' });
    const response = await api.query('', { ...wrongInAllWays, token });
    expect([response.status, code(response)]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(response.headers['www-authenticate']).toContain('error="insufficient_scope"');
    expect(response.headers['www-authenticate']).toContain('scope="account:read"');
  });

  it('returns 403 without account:read', async () => {
    const response = await api.query('{ viewer { id } }', { token: await api.token({ scope: 'openid' }) });
    expect([response.status, code(response)]).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('returns 405 for %s', async (method) => {
    const response = await api.query('', { ...wrongInAllWays, method });
    expect([response.status, code(response), response.headers['allow']]).toEqual([405, 'METHOD_NOT_ALLOWED', 'POST']);
  });

  it('returns the same status for HEAD', async () => {
    const response = await api.query('', { method: 'HEAD', body: undefined });
    expect([response.status, response.headers['allow'], response.text]).toEqual([405, 'POST', '']);
  });

  it('checks the content type, then the Accept header', async () => {
    const type = await api.query('', { ...wrongInAllWays, method: 'POST' });
    expect([type.status, code(type)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    const accept = await api.query('', { ...wrongInAllWays, method: 'POST', headers: { accept: 'text/html' } });
    expect([accept.status, code(accept)]).toEqual([406, 'NOT_ACCEPTABLE']);
    const body = await api.query('', { ...wrongInAllWays, method: 'POST', headers: {} });
    expect([body.status, code(body)]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('rejects a mutation without account:write before it runs and before limits are checked', async () => {
    const token = await api.token({ scope: 'openid account:read' });
    for (const mutation of [
      MUTATION,
      `mutation { ${Array.from({ length: 31 }, (_, n) => `a${n}: __typename`).join(' ')} }`,
      'mutation M { a: markAllNotificationsRead { markedCount } }',
      'mutation { ...F } fragment F on Mutation { markAllNotificationsRead { markedCount } }',
      'mutation { ... on Mutation { markAllNotificationsRead { markedCount } } }',
      'mutation ($no: Boolean = false) { markAllNotificationsRead @skip(if: $no) { markedCount } }',
    ]) {
      const response = await api.query(mutation, { token });
      expect([response.status, code(response)]).toEqual([403, 'INSUFFICIENT_SCOPE']);
      expect(response.headers['www-authenticate']).toContain('scope="account:read account:write"');
      expect(response.body.data).toBeUndefined();
    }
    const allowed = await api.query(MUTATION);
    expect([allowed.status, allowed.body.errors]).toEqual([200, undefined]);
  });

  it('allows reads with account:read alone', async () => {
    const response = await api.query('{ __typename }', { token: await api.token({ scope: 'openid account:read' }) });
    expect([response.status, response.body.data]).toEqual([200, { __typename: 'Query' }]);
  });
});

describe('without auth', () => {
  it('returns 503 with Retry-After and without a challenge when auth is unavailable', async () => {
    const lonely = await api.replica({ INTROSPECTION_URL: 'http://127.0.0.1:9/introspect' });
    const response = await api.query('{ viewer { id } }', { url: lonely.url });
    expect([response.status, code(response)]).toEqual([503, 'TEMPORARILY_UNAVAILABLE']);
    expect(response.headers['www-authenticate']).toBeUndefined();
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('/member/schema.graphql', () => {
  it('serves the built schema, with the fields of all resolvers, without a token', async () => {
    const response = await api.query('', {
      method: 'GET',
      path: '/member/schema.graphql',
      token: null,
      body: undefined,
    });
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(response.text).toBe(readFileSync(join(__dirname, '../../../dist/schema.graphql'), 'utf8'));
  });

  it('returns a problem for an unknown path', async () => {
    const response = await api.query('', { method: 'GET', path: '/member/nothing', token: null, body: undefined });
    expect([response.status, response.headers['content-type']]).toEqual([404, 'application/problem+json']);
  });
});
