import { ERAS, Gateway, OTHER, SITE, call, post, send, wire } from './gateway.js';
import type { Answered, Era, Sent } from './gateway.js';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start();
});

afterAll(() => gateway?.close());

const METADATA = `resource_metadata="${SITE.base_url}/.well-known/oauth-protected-resource/mcp"`;

let serial = 0;

/** Who asks. Each time another token, so that no limit and no kept verdict of another row is in the way. */
const CALLERS: Record<string, () => Sent> = {
  anonymous: () => ({}),
  member: () => ({ token: `member.${(serial += 1)}` }),
  operator: () => ({ token: `operator.${(serial += 1)}` }),
  expired: () => ({ token: 'expired' }),
  revoked: () => ({ token: 'never-seen' }),
  foreign: () => ({ token: 'foreign' }),
  malformed: () => ({ headers: { authorization: 'Bearer not a token' } }),
  'no verdict': () => ({ token: `nobody-knows-${(serial += 1)}` }),
};

const ACTIONS: Record<string, (era: Era, sent: Sent) => Promise<Answered>> = {
  list: (era, sent) => send(gateway.url, era, { method: 'tools/list' }, sent),
  'public tool': (era, sent) => call(gateway.url, era, 'search_catalog', {}, sent),
  'member tool': (era, sent) => call(gateway.url, era, 'list_my_courses', {}, sent),
  'operator tool': (era, sent) => call(gateway.url, era, 'list_courses', {}, sent),
  whoami: (era, sent) => call(gateway.url, era, 'whoami', {}, sent),
  'unknown tool': (era, sent) => call(gateway.url, era, 'drop_tables', {}, sent),
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

/** Rows: who. Columns: what, in the order of `ACTIONS`. `-32602` is a JSON-RPC error within 200. */
const TABLE: Record<string, string> = {
  //             list public member operator whoami unknown batch method origin host
  anonymous: '    200  200    401    401      401    -32602  400   405    403    421',
  member: '       200  200    200    403      200    -32602  400   405    403    421',
  operator: '     200  200    403    200      200    -32602  400   405    403    421',
  expired: '      401  401    401    401      401    401     401   401    403    421',
  revoked: '      401  401    401    401      401    401     401   401    403    421',
  foreign: '      401  401    401    401      401    401     401   401    403    421',
  malformed: '    401  401    401    401      401    401     401   401    403    421',
  'no verdict': ' 503  503    503    503      503    503     503   503    403    421',
};

const cells = Object.entries(TABLE).flatMap(([caller, row]) =>
  row
    .trim()
    .split(/\s+/)
    .map((expected, i) => ({ caller, action: Object.keys(ACTIONS)[i] ?? '', expected })),
);

/** Scopes that a refusal of the action names. */
const SCOPES: Record<string, string> = {
  'member tool': 'account:read',
  'operator tool': 'courses:read',
  whoami: 'openid',
};

describe.each(ERAS)('the gate, for a client of the %s era', (era) => {
  it.each(cells)('$caller × $action → $expected', async ({ caller, action, expected }) => {
    // The breaker opens after some faults in a row; one good answer in between keeps the rows apart.
    if (caller === 'no verdict')
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

  it('asks for all scopes of a tool when one is missing', async () => {
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

  it('refuses a call in the wrapping of a notification as the call', async () => {
    const { body, headers } = wire(era, { method: 'tools/call', params: { name: 'enroll_student' } });
    expect((await post(gateway.url, body, { headers })).status).toBe(401);
  });

  it.each<Record<string, string>>([
    { 'mcp-name': 'search_catalog' },
    { 'mcp-method': 'tools/list' },
    { 'mcp-name': 'list_my_courses, search_catalog' },
    { 'mcp-name': `=?base64?${Buffer.from('search_catalog').toString('base64')}?=` },
  ])('refuses a call whose headers say something else than the body: %j', async (headers) => {
    const reply = await call(gateway.url, era, 'list_my_courses', {}, { token: `member.${(serial += 1)}`, headers });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ id: 1, error: { code: -32020 } });
  });

  it('lets the browser of the site itself through', async () => {
    const reply = await send(gateway.url, era, { method: 'tools/list' }, { headers: { origin: SITE.base_url } });
    expect(reply.status).toBe(200);
  });

  it('knows the token of a site at that site only', async () => {
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
  it('has its steps in the order of the design', async () => {
    const { Gate } = await import('#src/gate/gate.js');
    const [replica] = gateway.replicas;
    const gate = replica?.app.get(Gate);
    expect(gate?.arrival.map(([name]) => name)).toEqual(['origin', 'token', 'method']);
    expect(gate?.admission.map(([name]) => name)).toEqual(['message', 'headers', 'access', 'rate']);
  });

  it('forgets a token as soon as its revocation is told', async () => {
    const sent = { token: 'revocable' };
    expect((await call(gateway.url, 'modern', 'list_my_courses', {}, sent)).status).toBe(200);
    gateway.revoked.add('revocable');
    // Kept for some seconds, were it not for the broadcast.
    expect((await call(gateway.url, 'modern', 'list_my_courses', {}, sent)).status).toBe(200);
    await gateway.auth.revokeGrant('revocable');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await call(gateway.url, 'modern', 'list_my_courses', {}, sent)).status).toBe(401);
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])('does not know %s', async (method) => {
    const response = await fetch(`${gateway.url}/mcp`, { method, headers: { 'x-forwarded-host': SITE.host } });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });

  it('does not look at a token in the query', async () => {
    const response = await fetch(`${gateway.url}/mcp?access_token=operator`, {
      method: 'POST',
      headers: { 'x-forwarded-host': SITE.host, 'content-type': 'application/json' },
      body: JSON.stringify(wire('older', { id: 1, method: 'tools/call', params: { name: 'list_courses' } }).body),
    });
    expect(response.status).toBe(401);
  });
});
