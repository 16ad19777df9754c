import { eventually } from '@lyceum/testing';
import { ERAS, Gateway, OTHER, SITE, call, post, send, wire } from './gateway.js';
import type { ReceivedResponse, Era, Sent } from './gateway.js';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start();
});

afterAll(() => gateway?.close());

const METADATA = `resource_metadata="${SITE.base_url}/.well-known/oauth-protected-resource/mcp"`;

let serial = 0;

/** Callers. Each use has a new token, so that rows share neither limits nor cached introspection results. */
const CALLERS: Record<string, () => Sent> = {
  anonymous: () => ({}),
  member: () => ({ token: `member.${(serial += 1)}` }),
  operator: () => ({ token: `operator.${(serial += 1)}` }),
  expired: () => ({ token: 'expired' }),
  revoked: () => ({ token: 'never-seen' }),
  foreign: () => ({ token: 'foreign' }),
  malformed: () => ({ headers: { authorization: 'Bearer not a token' } }),
  unavailable: () => ({ token: `no-introspection-${(serial += 1)}` }),
};

const SLUG = { name: 'slug', value: 'd' };
const HOURS = { name: 'hours', value: '' };

const read = (era: Era, uri: string, sent: Sent) =>
  send(gateway.url, era, { method: 'resources/read', params: { uri } }, sent);
const prompt = (era: Era, name: string, args: object, sent: Sent) =>
  send(gateway.url, era, { method: 'prompts/get', params: { name, arguments: args } }, sent);
const complete = (era: Era, params: Record<string, unknown>, sent: Sent) =>
  send(gateway.url, era, { method: 'completion/complete', params }, sent);

const ACTIONS: Record<string, (era: Era, sent: Sent) => Promise<ReceivedResponse>> = {
  list: (era, sent) => send(gateway.url, era, { method: 'tools/list' }, sent),
  'public tool': (era, sent) => call(gateway.url, era, 'browse_catalog', {}, sent),
  'member tool': (era, sent) => call(gateway.url, era, 'my_courses', {}, sent),
  'operator tool': (era, sent) => call(gateway.url, era, 'list_courses', {}, sent),
  whoami: (era, sent) => call(gateway.url, era, 'whoami', {}, sent),
  'unknown tool': (era, sent) => call(gateway.url, era, 'drop_tables', {}, sent),
  'list of resources': (era, sent) => send(gateway.url, era, { method: 'resources/list' }, sent),
  'list of prompts': (era, sent) => send(gateway.url, era, { method: 'prompts/list' }, sent),
  'public resource': (era, sent) => read(era, 'school://profile', sent),
  'public template': (era, sent) => read(era, 'school://courses/drawing', sent),
  'operator resource': (era, sent) => read(era, 'school://orders', sent),
  'unknown resource': (era, sent) => read(era, 'school://nothing', sent),
  'member prompt': (era, sent) => prompt(era, 'plan_my_study_week', { hours: '5' }, sent),
  'operator prompt': (era, sent) => prompt(era, 'weekly_school_report', {}, sent),
  'unknown prompt': (era, sent) => prompt(era, 'drop_tables', {}, sent),
  'public completion': (era, sent) =>
    complete(era, { ref: { type: 'ref/resource', uri: 'school://courses/{slug}' }, argument: SLUG }, sent),
  'member completion': (era, sent) =>
    complete(era, { ref: { type: 'ref/prompt', name: 'plan_my_study_week' }, argument: HOURS }, sent),
  batch: (era, sent) => post(gateway.url, [wire(era, { id: 1, method: 'tools/list' }).body], sent),
  'wrong method': (_era, sent) => post(gateway.url, undefined, { ...sent, method: 'GET' }),
  'wrong origin': (era, sent) =>
    send(
      gateway.url,
      era,
      { method: 'tools/list' },
      { ...sent, headers: { ...sent.headers, origin: 'https://evil.example' } },
    ),
  'unknown host': (era, sent) => send(gateway.url, era, { method: 'tools/list' }, { ...sent, host: 'evil.example' }),
};

/**
 * Rows: actions. Columns: callers, in the order of `CALLERS`. `-32602` is a JSON-RPC error within 200. Authentication
 * comes before all other checks, except for the host and the origin.
 */
const TABLE: Record<string, string> = {
  //                      anonymous member operator expired revoked foreign malformed unavailable
  list: '                 200       200    200      401     401     401     401       503',
  'public tool': '        200       200    200      401     401     401     401       503',
  'member tool': '        401       200    403      401     401     401     401       503',
  'operator tool': '      401       403    200      401     401     401     401       503',
  whoami: '               401       200    200      401     401     401     401       503',
  'unknown tool': '       -32602    -32602 -32602   401     401     401     401       503',
  'list of resources': '  200       200    200      401     401     401     401       503',
  'list of prompts': '    200       200    200      401     401     401     401       503',
  'public resource': '    200       200    200      401     401     401     401       503',
  'public template': '    200       200    200      401     401     401     401       503',
  'operator resource': '  401       403    403      401     401     401     401       503',
  'unknown resource': '   -32602    -32602 -32602   401     401     401     401       503',
  'member prompt': '      401       200    403      401     401     401     401       503',
  'operator prompt': '    401       403    200      401     401     401     401       503',
  'unknown prompt': '     -32602    -32602 -32602   401     401     401     401       503',
  'public completion': '  200       200    200      401     401     401     401       503',
  'member completion': '  401       200    403      401     401     401     401       503',
  batch: '                400       400    400      401     401     401     401       503',
  'wrong method': '       405       405    405      401     401     401     401       503',
  'wrong origin': '       403       403    403      403     403     403     403       403',
  'unknown host': '       421       421    421      421     421     421     421       421',
};

const cells = Object.keys(ACTIONS).flatMap((action) =>
  Object.keys(CALLERS).map((caller, i) => ({ action, caller, expected: TABLE[action]?.trim().split(/\s+/)[i] ?? '' })),
);

/** Scopes that the refusal of the action names. */
const SCOPES: Record<string, string> = {
  'member tool': 'account:read',
  'operator tool': 'courses:read',
  whoami: 'openid',
  'operator resource': 'orders:read',
  'member prompt': 'account:read',
  'operator prompt': 'courses:read',
  'member completion': 'account:read',
};

describe.each(ERAS)('the gate, for a client of the %s era', (era) => {
  it.each(cells)('returns $expected for $caller × $action', async ({ caller, action, expected }) => {
    // The breaker opens after consecutive failures; one success keeps the rows independent.
    if (caller === 'unavailable')
      await send(gateway.url, era, { method: 'tools/list' }, { token: `member.${(serial += 1)}` });
    const reply = await ACTIONS[action]?.(era, CALLERS[caller]?.() ?? {});
    if (reply === undefined) throw new Error(`no such action: ${action}`);
    const challenge = reply.headers.get('www-authenticate');
    if (expected === '-32602') {
      expect(reply.status).toBe(200);
      expect(reply.body).toMatchObject({ id: 1, error: { code: -32602 } });
      return;
    }
    expect(reply.status).toBe(Number(expected));
    if (expected === '401' || (expected === '403' && action !== 'wrong origin')) {
      expect(challenge).toMatch(/^Bearer /);
      expect(challenge).toContain(METADATA);
      expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    } else {
      expect(challenge).toBeNull();
    }
    switch (expected) {
      case '200':
        expect(reply.body.result).toBeDefined();
        expect(reply.body['error']).toBeUndefined();
        break;
      case '400':
        expect(reply.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
        break;
      case '401':
        expect(reply.body).toMatchObject({ code: 'invalid_token', error: 'invalid_token' });
        if (caller === 'anonymous') {
          expect(challenge).toContain(`scope="${SCOPES[action]}"`);
          expect(challenge).not.toContain('error=');
        } else expect(challenge).toContain('error="invalid_token"');
        break;
      case '403':
        if (action === 'wrong origin') expect(reply.body['code']).toBe('forbidden');
        else {
          expect(challenge).toContain('error="insufficient_scope"');
          expect(challenge).toContain(`scope="${SCOPES[action]}"`);
        }
        break;
      case '405':
        expect(reply.headers.get('allow')).toBe('POST');
        break;
      case '503':
        expect(reply.body).toMatchObject({ code: 'temporarily_unavailable', error: 'temporarily_unavailable' });
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        break;
    }
  });

  it('names all scopes of a tool when one is missing', async () => {
    const reply = await call(
      gateway.url,
      era,
      'enroll_student',
      { email: 'a@b.example' },
      { token: 'operator-reading' },
    );
    expect(reply.status).toBe(403);
    expect(reply.headers.get('www-authenticate')).toContain('scope="students:write"');
  });

  it('refuses a call disguised as a notification like the call', async () => {
    const { body, headers } = wire(era, { method: 'tools/call', params: { name: 'enroll_student' } });
    expect((await post(gateway.url, body, { headers })).status).toBe(401);
  });

  it.each<Record<string, string>>([
    { 'mcp-name': 'browse_catalog' },
    { 'mcp-name': 'my_courses, browse_catalog' },
    { 'mcp-name': 'LIST_MY_COURSES' },
    { 'mcp-name': '' },
    { 'mcp-name': `=?base64?${Buffer.from('browse_catalog').toString('base64')}?=` },
    { 'mcp-name': '=?base64?!!?=' },
    { 'mcp-method': 'tools/list' },
    { 'mcp-method': 'Tools/Call' },
    { 'mcp-method': 'tools/call, tools/list' },
  ])('refuses a call whose headers contradict the body, with or without a token: %j', async (headers) => {
    for (const sent of [{ headers }, { token: `member.${(serial += 1)}`, headers }]) {
      const reply = await call(gateway.url, era, 'my_courses', {}, sent);
      expect(reply.status).toBe(400);
      expect(reply.body).toMatchObject({ id: 1, error: { code: -32020 } });
    }
  });

  it.each<[string, (token: string) => object]>([
    ['an argument', (token) => ({ arguments: { access_token: token, authorization: `Bearer ${token}` } })],
    ['_meta', (token) => ({ _meta: { access_token: token, authorization: `Bearer ${token}` } })],
    ['the params', (token) => ({ access_token: token, authorization: `Bearer ${token}` })],
  ])('ignores a token in %s', async (_where, hidden) => {
    const params = { name: 'my_courses', arguments: {}, ...hidden(`member.${(serial += 1)}`) };
    const reply = await send(gateway.url, era, { method: 'tools/call', params });
    expect(reply.status).toBe(401);
    // The challenge of an anonymous caller, not of an invalid token.
    expect(reply.headers.get('www-authenticate')).not.toContain('error=');
  });

  it('allows the site’s own pages', async () => {
    const reply = await send(gateway.url, era, { method: 'tools/list' }, { headers: { origin: SITE.base_url } });
    expect(reply.status).toBe(200);
  });

  it('accepts a site’s token at that site only', async () => {
    const here = { token: `member.${(serial += 1)}` };
    expect((await send(gateway.url, era, { method: 'tools/list' }, here)).status).toBe(200);
    const there = await send(gateway.url, era, { method: 'tools/list' }, { ...here, host: OTHER.host });
    expect(there.status).toBe(401);
    expect(there.headers.get('www-authenticate')).toContain(
      `"${OTHER.base_url}/.well-known/oauth-protected-resource/mcp"`,
    );
  });
});

describe('the gate', () => {
  it('runs its steps in the order of the design', async () => {
    const { McpGate } = await import('#src/gate/gate.js');
    const [replica] = gateway.replicas;
    const gate = replica?.app.get(McpGate);
    expect(gate?.arrival.map(([name]) => name)).toEqual(['origin', 'connections', 'token', 'page', 'method']);
    expect(gate?.admission.map(([name]) => name)).toEqual(['token', 'rate', 'message', 'headers', 'access']);
  });

  it('refuses a token as soon as its revocation is published', async () => {
    const sent = { token: 'revocable' };
    expect((await call(gateway.url, 'modern', 'my_courses', {}, sent)).status).toBe(200);
    gateway.revoked.add('revocable');
    // Without the broadcast the result would be cached for some seconds.
    expect((await call(gateway.url, 'modern', 'my_courses', {}, sent)).status).toBe(200);
    await gateway.auth.revokeGrant('revocable');
    await eventually(async () => (await call(gateway.url, 'modern', 'my_courses', {}, sent)).status === 401);
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])('does not know %s', async (method) => {
    const response = await fetch(`${gateway.url}/mcp`, { method, headers: { 'x-forwarded-host': SITE.host } });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });

  it('ignores a token in the query', async () => {
    const response = await fetch(`${gateway.url}/mcp?access_token=operator`, {
      method: 'POST',
      headers: { 'x-forwarded-host': SITE.host, 'content-type': 'application/json' },
      body: JSON.stringify(wire('older', { id: 1, method: 'tools/call', params: { name: 'list_courses' } }).body),
    });
    expect(response.status).toBe(401);
  });
});
