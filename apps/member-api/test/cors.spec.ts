import { eventually } from '@lyceum/testing';
import { startMemberApi } from './member-api.js';
import type { ReceivedResponse, RequestOptions, TestApi } from './member-api.js';

const EXTRA = 'https://extra.example';
const APP = 'https://reading-room.example:8443';

let api: TestApi;
beforeAll(async () => {
  api = await startMemberApi({ CORS_ORIGINS: `${EXTRA},https://second.example`, CORS_CACHE_MS: '200' });
  await api.world.client({
    site_id: api.sites[0].site_id,
    redirect_uris: [`${APP}/callback`, 'http://127.0.0.1:7777/callback', 'com.example.app:/callback'],
  });
  await untilAllowed(APP);
});
afterAll(() => api.stop());

const allowed = ({ headers }: ReceivedResponse) => headers['access-control-allow-origin'];
const requestFrom = (origin: string | undefined, options: RequestOptions = {}) =>
  api.query('{ __typename }', {
    ...options,
    headers: { ...(origin === undefined ? {} : { origin }), ...options.headers },
  });
const preflight = (origin: string, options: RequestOptions = {}) =>
  requestFrom(origin, {
    method: 'OPTIONS',
    token: null,
    body: undefined,
    ...options,
    headers: {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,apollo-require-preflight',
    },
  });

const untilAllowed = (origin: string, is = true) =>
  eventually(async () => (allowed(await preflight(origin)) === origin) === is);

describe('a script of an origin of a redirect URI of a member client', () => {
  it('returns a preflight response without a token', async () => {
    const response = await preflight(APP);
    expect([response.status, response.text]).toEqual([204, '']);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': APP,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization,content-type,apollo-require-preflight',
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Headers',
    });
    expect(response.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('exposes responses, errors and challenges to an allowed origin', async () => {
    for (const [status, options] of [
      [200, {}],
      [401, { token: null }],
      [405, { method: 'PUT' }],
      [415, { headers: { 'content-type': 'text/plain' } }],
      [400, { body: '{' }],
    ] as const) {
      const response = await requestFrom(APP, options);
      expect([response.status, allowed(response)]).toEqual([status, APP]);
      expect(response.headers['access-control-expose-headers']).toBe('WWW-Authenticate, Retry-After, X-Request-Id');
      expect(response.headers['access-control-allow-credentials']).toBeUndefined();
      expect(response.headers['vary']).toContain('Origin');
    }
  });

  it.each(['http://127.0.0.1:7777', 'http://127.0.0.1:5173'])('allows any loopback port: %s', async (origin) => {
    expect(allowed(await preflight(origin))).toBe(origin);
  });

  it.each([EXTRA, 'https://second.example'])('allows an origin of the setting: %s', async (origin) => {
    expect(allowed(await preflight(origin))).toBe(origin);
    expect(allowed(await preflight(origin, { site: api.sites[1] }))).toBe(origin);
  });

  it('allows the origin of the site', async () => {
    const [{ base_url }] = api.sites;
    expect(allowed(await requestFrom(base_url))).toBe(base_url);
  });
});

describe('a script of another origin', () => {
  it.each([
    'https://evil.example',
    'https://reading-room.example',
    'http://reading-room.example:8443',
    'https://reading-room.example:8443.evil.example',
    'https://127.0.0.1',
    'null',
    'com.example.app:/callback',
    '',
  ])('sends no CORS header to %j', async (origin) => {
    for (const response of [await preflight(origin), await requestFrom(origin)]) {
      expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect(response.headers['vary']).toBe('Origin');
      expect(response.headers['set-cookie']).toBeUndefined();
    }
    expect((await preflight(origin)).status).toBe(401);
  });

  it('rejects the origin of a client of another site', async () => {
    expect(allowed(await preflight(APP, { site: api.sites[1] }))).toBeUndefined();
  });

  it('rejects the origin of an operator client, and stores nothing of it', async () => {
    const { site_id } = api.sites[0];
    const redirect_uris = ['https://office.example/callback'];
    const { client_key } = await api.world.client({ site_id, audience: 'operator', redirect_uris });
    await api.world.client({ site_id, redirect_uris: ['https://later.example/callback'] });
    await untilAllowed('https://later.example');
    expect(allowed(await preflight('https://office.example'))).toBeUndefined();
    const database = await api.connect();
    expect((await database.query('select from clients where client_key = $1', [client_key])).rowCount).toBe(0);
  });

  it('rejects the origin of a deleted client', async () => {
    const client = await api.world.client({
      site_id: api.sites[0].site_id,
      redirect_uris: ['https://gone.example/callback'],
    });
    await untilAllowed('https://gone.example');
    await api.world.client({ ...client, state: 'deleted' }, { version: 2, name: 'deleted' });
    await untilAllowed('https://gone.example', false);
    expect(allowed(await requestFrom('https://gone.example'))).toBeUndefined();
  });
});

it('sends no CORS header but Vary to a request without an origin', async () => {
  const { headers } = await requestFrom(undefined);
  expect(headers['vary']).toBe('Origin');
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
});
