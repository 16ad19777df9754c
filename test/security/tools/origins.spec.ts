import { rawHttp } from '../raw-http.js';
import { ERAS, GATEWAY, call, host, memberToken, otherSite, send, site, sourceIn } from './attack.js';

const list = { method: 'tools/list' };
const { port } = new URL(site.base_url);

let token: string;
beforeAll(async () => {
  token = await memberToken(undefined, { role: 'lecturer' });
});

describe.each(ERAS)('a web page with messages of the %s era', (era) => {
  // The suite of the policy has all spellings.
  it.each(['null', 'https://evil.example', `http://localhost:${port}.evil.example`, ''])(
    'refuses the origin %j, with and without a token',
    async (origin) => {
      for (const caller of [{ source: sourceIn(67) }, { token }]) {
        const { status, result, headers } = await send(era, list, { ...caller, headers: { origin } });
        expect([status, result]).toEqual([403, undefined]);
        expect(headers['access-control-allow-origin']).toBeUndefined();
      }
    },
  );

  it('refuses a request with two origins', async () => {
    const origins = [site.base_url, 'https://evil.example'];
    for (const origin of [origins, origins.toReversed()]) {
      const { status } = await send(era, list, { source: sourceIn(67), headers: { origin } });
      expect([400, 403]).toContain(status);
    }
  });

  it('accepts the origin of the site', async () => {
    const { status, result } = await send(era, list, { token, headers: { origin: site.base_url } });
    expect(status).toBe(200);
    expect(result).toHaveProperty('tools');
  });
});

describe('a foreign Host (DNS rebinding)', () => {
  it.each([
    'evil.example',
    `evil.example:${port}`,
    `localhost:${port}.evil.example`,
    `localhost.evil.example:${port}`,
    `rebound.127.0.0.1.nip.io:${port}`,
    'localhost',
    'localhost:1',
    `[::1]:${port}`,
    `0.0.0.0:${port}`,
    `2130706433:${port}`,
  ])('returns 421 before the token is checked: Host %j', async (name) => {
    for (const base of [site.base_url, GATEWAY]) {
      const headers = { host: name, authorization: `Bearer ${token}`, 'x-forwarded-for': sourceIn(67) };
      const response = await rawHttp(base, '/mcp', { headers, json: { jsonrpc: '2.0', id: 1, ...list } });
      expect([response.status, response.body['code']]).toEqual([421, 'unknown_host']);
      expect(response.headers['www-authenticate']).toBeUndefined();
    }
  });

  it('returns 421 for a foreign Host with spoofed forwarding headers', async () => {
    const claims = { 'x-forwarded-host': host(), forwarded: `host=${host()}`, 'x-original-host': host() };
    const { status } = await send('older', list, { token, headers: { ...claims, host: 'evil.example' } });
    expect(status).toBe(421);
  });

  it('keeps the site of the Host under spoofed forwarding headers', async () => {
    const claims = { 'x-forwarded-host': host(otherSite), forwarded: `host=${host(otherSite)}` };
    const { result } = await call('get_school_profile', {}, { token, headers: claims });
    expect(result?.structuredContent).toMatchObject({ name: site.name });
  });
});

it.each(['GET', 'OPTIONS', 'DELETE', 'PUT'])('refuses %s of a foreign page, without CORS headers', async (method) => {
  const headers = {
    host: host(),
    origin: 'https://evil.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization, content-type',
  };
  const response = await rawHttp(site.base_url, '/mcp', { method, headers });
  expect([403, 405]).toContain(response.status);
  expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
});
