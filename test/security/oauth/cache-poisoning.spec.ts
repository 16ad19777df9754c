import { Actor, member, otherSite, rawHttp, site, sourceIn, type ApiResponse } from './attack.js';

const METADATA = '/.well-known/oauth-authorization-server';
const DOCUMENTS = [
  METADATA,
  '/.well-known/openid-configuration',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/jwks.json',
  '/.well-known/api-catalog',
  '/auth.md',
  '/llms.txt',
];
const host = new URL(site.base_url).host;
const get = (path: string, headers: Record<string, string> = {}, at = host): Promise<ApiResponse> =>
  rawHttp(site.base_url, path, { headers: { host: at, ...headers } });

/** Headers that are in no cache key. None may change a cached response. */
const UNKEYED: Record<string, string> = {
  'x-forwarded-host': 'evil.example',
  'x-forwarded-server': 'evil.example',
  'x-forwarded-proto': 'https',
  'x-forwarded-port': '666',
  'x-forwarded-prefix': '/evil',
  'x-forwarded-scheme': 'https',
  'x-original-url': '/evil',
  'x-rewrite-url': '/evil',
  'x-original-host': 'evil.example',
  'x-host': 'evil.example',
  'x-http-host-override': 'evil.example',
  'x-http-method-override': 'POST',
  forwarded: 'for=203.0.113.1;host=evil.example;proto=https',
  'accept-language': 'evil',
  'user-agent': '<script>evil</script>',
};

it.each(DOCUMENTS)('serves %s unchanged under spoofed forwarding headers', async (path) => {
  const honest = await get(path);
  const spoofed = await get(path, UNKEYED);
  expect([honest.status, spoofed.status]).toEqual([200, 200]);
  expect(spoofed.text).toBe(honest.text);
  expect(spoofed.headers['etag']).toBe(honest.headers['etag']);
  expect(spoofed.text).not.toContain('evil');
  expect(honest.headers).toMatchObject({
    'cache-control': 'public, max-age=300',
    vary: expect.stringContaining('Host'),
  });
  expect(honest.headers['set-cookie']).toBeUndefined();
});

it('names only URLs of the requested site in the metadata', async () => {
  for (const { base_url } of [site, otherSite]) {
    const { body } = await get(METADATA, {}, new URL(base_url).host);
    const addresses = Object.entries(body).filter(([name]) => /_endpoint$|_uri$|^issuer$/.test(name));
    expect(addresses.length).toBeGreaterThanOrEqual(8);
    for (const [, address] of addresses) expect(new URL(String(address)).origin).toBe(base_url);
  }
});

it('does not serve the cached document of one site for the other', async () => {
  const ours = await get(METADATA);
  const other = new URL(otherSite.base_url).host;
  const [matching, foreign] = await Promise.all([
    get(METADATA, { 'if-none-match': ours.headers['etag']! }),
    get(METADATA, { 'if-none-match': ours.headers['etag']! }, other),
  ]);
  expect([matching.status, foreign.status]).toEqual([304, 200]);
  expect(foreign.body['issuer']).toBe(otherSite.base_url);
});

it('keeps redirects, cookies, challenges and codes on the site under spoofed headers', async () => {
  const actor = new Actor(sourceIn(13));
  const spoofed = { ...UNKEYED, host };
  const authorization = await rawHttp(site.base_url, actor.authorization(), { headers: spoofed });
  expect(authorization.headers['location']).toMatch(/^\/oauth\/interaction\//);
  expect(authorization.headers['set-cookie']).not.toMatch(/evil|domain=/i);
  const challenge = await rawHttp(site.base_url, '/api/oauth/userinfo', { headers: spoofed });
  expect([challenge.status, challenge.headers['www-authenticate']]).toEqual([
    401,
    expect.stringContaining(site.base_url),
  ]);
  const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id: member.client_id };
  expect((await rawHttp(site.base_url, '/api/oauth/token', { form, headers: spoofed })).text).not.toContain('evil');
});
