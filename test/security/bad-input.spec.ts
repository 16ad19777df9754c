import { request as httpRequest } from 'node:http';
import { mintToken } from '@lyceum/testing';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';

interface ApiResponse {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

/** Raw HTTP: `fetch` refuses to send many of these requests. */
function raw(
  base: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<ApiResponse> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, path, method: options.method ?? 'GET', headers: { connection: 'close', ...options.headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
      },
    );
    // The server may respond and close before it has read an oversized body.
    request.on('error', reject);
    request.end(options.body);
  });
}

const [site, otherSite] = [systemStack().sites[0]!, systemStack().sites[1]!];
const UNKNOWN_ID = '018f0000-0000-7000-8000-000000000000';
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

let operator: Record<string, string>;
let member: Record<string, string>;

beforeAll(async () => {
  const mint = async (role: string, audience: 'operator' | 'member', scope: string) => {
    const tokens = await mintToken({ site, ...personOf(site, role), ...clientOf(site, audience, 'public'), scope });
    return { authorization: `Bearer ${tokens.access_token}` };
  };
  [operator, member] = await Promise.all([
    // Other files of this group send the writes of the owner, and a person has 400 a minute.
    mint('admin', 'operator', 'openid courses:read courses:write students:read students:write'),
    mint('student', 'member', 'openid account:read account:write'),
  ]);
});

type Row = readonly [
  what: string,
  status: number,
  path: string,
  options?: () => { method?: string; headers?: Record<string, string>; body?: string | Buffer },
];

const post = (headers: () => Record<string, string>, body: string | Buffer) => () => ({
  method: 'POST',
  headers: headers(),
  body,
});
const asOperator = () => ({ ...JSON_TYPE, ...operator });
const asMember = () => ({ ...JSON_TYPE, ...member });
const anonymously = () => ({ ...JSON_TYPE, accept: 'application/json, text/event-stream' });
const withForm = () => FORM_TYPE;
const MEGABYTES = Buffer.alloc(3 * 1024 * 1024, 'a');
const query = (text: string): string => JSON.stringify({ query: text });

const ROWS: readonly Row[] = [
  ['operator: malformed JSON', 400, '/api/v1/courses', post(asOperator, '{"name":')],
  ['operator: a body that is no object', 422, '/api/v1/courses', post(asOperator, '[]')],
  ['operator: an unknown member', 422, '/api/v1/courses', post(asOperator, '{"name":"A","slug":"a-b","site_id":"x"}')],
  ['operator: prototype poisoning', 400, '/api/v1/courses', post(asOperator, '{"__proto__":{"name":"A"}}')],
  ['operator: an oversized body', 413, '/api/v1/courses', post(asOperator, MEGABYTES)],
  [
    'operator: another media type',
    415,
    '/api/v1/courses',
    post(() => ({ ...operator, 'content-type': 'text/plain' }), 'x'),
  ],
  ['operator: another method', 405, '/api/v1/courses', () => ({ method: 'PUT', headers: asOperator(), body: '{}' })],
  ['operator: a bad cursor', 400, '/api/v1/courses?cursor=abc', () => ({ headers: operator })],
  ['operator: a limit outside', 400, '/api/v1/courses?limit=101', () => ({ headers: operator })],
  ['operator: an unknown parameter', 400, '/api/v1/courses?color=red', () => ({ headers: operator })],
  ['operator: a malformed id', 404, '/api/v1/courses/1%27%20OR%201=1', () => ({ headers: operator })],
  ['operator: an unknown id', 404, `/api/v1/students/${UNKNOWN_ID}`, () => ({ headers: operator })],
  ['operator: a NUL in the text', 422, '/api/v1/courses', post(asOperator, '{"name":"A\\u0000","slug":"nul"}')],
  ['operator: half a surrogate', 422, '/api/v1/courses', post(asOperator, '{"name":"A\\ud800","slug":"half"}')],
  ['operator: no token', 401, '/api/v1/courses'],
  ['operator: a token in the query', 401, '/api/v1/courses?access_token=abc'],
  ['operator: a member token', 403, '/api/v1/courses', () => ({ headers: member })],
  ['operator: a broken escape in the path', 400, '/api/v1/courses/%E0%A4%A'],
  ['operator: an unknown path', 404, '/api/v1/nothing', () => ({ headers: operator })],
  ['member: malformed JSON', 400, '/member/graphql', post(asMember, '{')],
  ['member: a batch', 400, '/member/graphql', post(asMember, '[{"query":"{ viewer { id } }"}]')],
  ['member: a query that is no string', 400, '/member/graphql', post(asMember, '{"query":7}')],
  ['member: an oversized body', 413, '/member/graphql', post(asMember, MEGABYTES)],
  ['member: GET', 405, '/member/graphql?query=%7Bviewer%7Bid%7D%7D', () => ({ headers: member })],
  [
    'member: another media type',
    415,
    '/member/graphql',
    post(() => ({ ...member, ...FORM_TYPE }), 'query={viewer{id}}'),
  ],
  ['member: no token', 401, '/member/graphql', post(anonymously, query('{ viewer { id } }'))],
  ['member: an operator token', 403, '/member/graphql', post(asOperator, query('{ viewer { id } }'))],
  ['tools: malformed JSON', 400, '/mcp', post(anonymously, '{"jsonrpc"')],
  ['tools: a batch', 400, '/mcp', post(anonymously, '[]')],
  ['tools: an oversized body', 413, '/mcp', post(anonymously, MEGABYTES)],
  ['tools: GET', 405, '/mcp'],
  ['tools: DELETE', 405, '/mcp', () => ({ method: 'DELETE' })],
  ['tools: a foreign origin', 403, '/mcp', post(() => ({ ...anonymously(), origin: 'https://evil.example' }), '{}')],
  ['tools: a malformed token', 401, '/mcp', post(() => ({ ...anonymously(), authorization: 'Basic YTpi' }), '{}')],
  ['auth: a token request without a body', 400, '/api/oauth/token', post(withForm, '')],
  ['auth: a token request in JSON', 415, '/api/oauth/token', post(anonymously, '{"grant_type":"authorization_code"}')],
  [
    'auth: another grant',
    400,
    '/api/oauth/token',
    post(
      withForm,
      `grant_type=password&client_id=${clientOf(site, 'member', 'public').client_id}&username=a&password=b`,
    ),
  ],
  ['auth: an oversized form', 413, '/api/oauth/token', post(withForm, MEGABYTES)],
  ['auth: GET at the token endpoint', 405, '/api/oauth/token'],
  [
    'auth: an unknown client',
    400,
    '/oauth/authorize?client_id=unknown&response_type=code&redirect_uri=https://evil.example/',
  ],
  ['auth: an authorization request with nothing', 400, '/oauth/authorize'],
  [
    'auth: introspection by a stranger',
    401,
    '/api/oauth/introspect',
    post(withForm, 'token=a&client_id=x&client_secret=y'),
  ],
  ['auth: UserInfo without a token', 401, '/api/oauth/userinfo'],
  ['auth: registration that is no JSON', 400, '/api/oauth/register', post(anonymously, '{')],
  ['auth: a stale sign-in page', 400, '/oauth/interaction/nothing'],
  ['auth: a guess at agent_auth', 404, '/agent/auth'],
  ['auth: an unknown path', 404, '/nothing-at-all'],
];

describe('bad input', () => {
  it.each(ROWS.map(([what, status, path, options]) => ({ what, status, path, options })))(
    'returns $status for $what',
    async (row) => {
      const { what, status, path, options } = row;
      const response = await raw(site.base_url, path, options?.());
      expect({ status: response.status, text: response.status === status ? '' : response.text }).toEqual({
        status,
        text: '',
      });
      // An error in the format of the surface, without internal details.
      expect(response.text).not.toMatch(/\bat .+\.(ts|js):\d+|node_modules|QueryFailedError|syntax error at/);
      if (status === 405) expect(response.headers.allow).toMatch(/[A-Z]/);
      if (status === 401 && !what.startsWith('auth: introspection')) {
        expect(response.headers['www-authenticate']).toContain('resource_metadata=');
      }
      if (!/text\/html/.test(String(response.headers['content-type']))) {
        expect(JSON.parse(response.text)).toEqual(expect.any(Object));
      }
    },
  );

  it.each([
    '/api/v1/courses',
    '/member/graphql',
    '/mcp',
    '/oauth/authorize',
    '/.well-known/openid-configuration',
    '/auth.md',
  ])('returns 421 for an unknown host at %s', async (path) => {
    const response = await raw(site.base_url, path, { headers: { host: 'evil.example' } });
    expect(response.status).toBe(421);
    expect(response.text).toMatch(/unknown_host/i);
  });

  it('ignores the X-Forwarded-Host of a caller', async () => {
    const { text } = await raw(site.base_url, '/.well-known/openid-configuration', {
      headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
    });
    expect(JSON.parse(text)).toMatchObject({
      issuer: site.base_url,
      token_endpoint: `${site.base_url}/api/oauth/token`,
    });
  });

  it('separates the two sites', async () => {
    const { headers } = await raw(site.base_url, '/api/v1/courses?limit=1', { headers: operator });
    expect(headers['content-type']).toContain('application/json');
    const created = await raw(
      site.base_url,
      '/api/v1/courses',
      post(asOperator, '{"name":"Ours","slug":"ours-only"}')(),
    );
    const { id } = JSON.parse(created.text) as { id: string };
    const owner = await mintToken({
      site: otherSite,
      ...personOf(otherSite, 'owner'),
      ...clientOf(otherSite, 'operator', 'public'),
      scope: 'courses:read courses:write',
    });
    const theirs = { authorization: `Bearer ${owner.access_token}` };
    expect((await raw(otherSite.base_url, `/api/v1/courses/${id}`, { headers: theirs })).status).toBe(404);
    expect(
      (await raw(otherSite.base_url, `/api/v1/courses/${id}/publish`, { method: 'POST', headers: theirs })).status,
    ).toBe(404);
    const list = await raw(otherSite.base_url, '/api/v1/courses?limit=100', { headers: theirs });
    expect(list.text).not.toContain(id);
  });
});
