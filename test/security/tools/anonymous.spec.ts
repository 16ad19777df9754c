import { ERAS, META, call, host, outcome, post, send, sourceIn, wire, type Era, type Message } from './attack.js';

const anonymous = () => ({ source: sourceIn(61) });

const prompt = (name: string): Message => ({ method: 'prompts/get', params: { name, arguments: {} } });
const tool = (name: string, args: object = {}): Message => ({
  method: 'tools/call',
  params: { name, arguments: args },
});
const complete = (name: string, argument: string): Message => ({
  method: 'completion/complete',
  params: { ref: { type: 'ref/prompt', name }, argument: { name: argument, value: '' } },
});

/** Messages with the scopes that the challenge names. */
const PROTECTED: readonly (readonly [message: Message, scope: string])[] = [
  [tool('my_courses'), 'account:read'],
  [tool('mark_all_notifications_read'), 'account:read account:write'],
  [tool('list_courses'), 'courses:read'],
  [tool('whoami'), 'openid'],
  [tool('read_operation', { operation_id: 'listStudents' }), 'students:read'],
  [tool('change_operation', { operation_id: 'deleteCourse' }), 'courses:write'],
  [prompt('plan_my_study_week'), 'account:read'],
  [prompt('weekly_school_report'), 'courses:read students:read'],
  [complete('plan_my_study_week', 'hours'), 'account:read'],
  [complete('weekly_school_report', 'weeks'), 'courses:read students:read'],
];

describe.each(ERAS)('an anonymous caller with a client of the %s era', (era) => {
  it.each(PROTECTED)('challenges an anonymous caller for %j', async (message, scope) => {
    const { status, headers, body } = await send(era, message, anonymous());
    expect([status, body['code']]).toEqual([401, 'invalid_token']);
    expect(headers['www-authenticate']).toContain(`scope="${scope}"`);
  });

  it.each<[string, (body: object) => unknown, number]>([
    ['a notification', ({ ...body }) => ({ ...body, id: undefined }), 401],
    ['an id that is null', (body) => ({ ...body, id: null }), 401],
    ['an id that is an object', (body) => ({ ...body, id: {} }), 401],
    ['no version of JSON-RPC', (body) => ({ ...body, jsonrpc: undefined }), 401],
    ['a result besides', (body) => ({ ...body, result: {} }), 401],
    ['a batch of one', (body) => [body], 400],
    ['a batch after a public call', (body) => [wire(era, { id: 2, ...tool('browse_catalog') }).body, body], 400],
    ['a batch in a batch', (body) => [[body]], 400],
    ['an object of numbered messages', (body) => ({ 0: body, length: 1 }), 400],
    ['a text that holds the message', (body) => JSON.stringify(JSON.stringify(body)), 400],
  ])('gets no result from a call wrapped as %s', async (_what, wrap, expected) => {
    for (const [message] of PROTECTED) {
      const { body, headers } = wire(era, { id: 1, ...message });
      const { status, result } = await post(wrap(body), { ...anonymous(), headers });
      expect([status, result]).toEqual([expected, undefined]);
    }
  });

  it.each<[string, unknown]>([
    ['a list', ['my_courses', {}]],
    ['a list with a name on it', [{ name: 'my_courses' }]],
    ['a text', 'my_courses'],
    ['a name that is a list', { name: ['my_courses'] }],
    ['a name that is an object', { name: { toString: 'my_courses' } }],
    ['a name in another member', { tool: 'my_courses', Name: 'my_courses' }],
    ['a name behind __proto__', JSON.parse('{"__proto__":{"name":"my_courses"}}')],
  ])('gets no result from params that are %s', async (_what, params) => {
    const { headers } = wire(era, { method: 'tools/call' });
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const { status, result, rpcCode } = await post(body, { ...anonymous(), headers });
    expect(result).toBeUndefined();
    expect([200, 400]).toContain(status);
    expect(rpcCode).toBeLessThan(-32_000);
    expect(rpcCode).not.toBe(-32_603);
  });

  it.each([
    'LIST_MY_COURSES',
    'my_courses ',
    ' my_courses',
    'my_courses\u0000',
    'my_courses\n',
    '\u200Blist_my_courses',
    '\u2060list_my_courses',
    'l\u0456st_my_courses',
    'ｌｉｓｔ＿ｍｙ＿ｃｏｕｒｓｅｓ',
    'li\u017Ft_my_courses',
    'my_courses/',
    'list-my-courses',
    'my_courses%00',
    '%6cist_my_courses',
    'tools/my_courses',
    'member-api.my_courses',
    'browse_catalog,my_courses',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'get',
    '',
  ])('finds neither a tool nor a prompt named %j', async (name) => {
    const source = sourceIn(62);
    expect(outcome(await call(name, {}, { source }, era))).toEqual([200, -32_602]);
    expect(outcome(await send(era, prompt(name), { source }))).toEqual([200, -32_602]);
    expect(outcome(await send(era, complete(name, 'hours'), { source }))).toEqual([200, -32_602]);
  });

  it('cannot distinguish an unpublished course from an unknown one', async () => {
    const read = async (slug: string) => {
      const { status, text } = await send(
        era,
        { method: 'resources/read', params: { uri: `school://courses/${slug}` } },
        anonymous(),
      );
      return [status, text.replaceAll(slug, '…')];
    };
    expect(await read('night-sailing')).toEqual(await read('an-unknown-slug'));
    expect((await read('knots-and-splices'))[1]).toContain('contents');
  });
});

describe('headers of one era with a body of another', () => {
  const NONE: Record<string, string> = {};
  const HEADERS: Record<string, Record<string, string>> = {
    none: NONE,
    older: wire('older', tool('my_courses')).headers,
    modern: wire('modern', tool('my_courses')).headers,
    'of another method': { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
    'of a public tool': { ...wire('modern', tool('browse_catalog')).headers },
    'of a session': { 'mcp-session-id': 'a-session', 'mcp-protocol-version': '2025-03-26' },
    'of an unknown version': { 'mcp-protocol-version': '2099-01-01' },
  };
  const rows = Object.keys(HEADERS).flatMap((sent) => ERAS.map((era) => [sent, era] as const));

  it.each(rows)('runs no protected call: headers %s, body of the %s era', async (sent, era: Era) => {
    const { body } = wire(era, { id: 1, ...tool('my_courses') });
    const { status, result } = await post(body, { ...anonymous(), headers: HEADERS[sent]! });
    const differs = sent === 'of another method' || sent === 'of a public tool';
    expect([status, result]).toEqual([differs ? 400 : 401, undefined]);
  });
});

describe('a duplicate key in JSON', () => {
  const params = (name: string): string => `"params":{"name":"${name}","arguments":{}}`;
  const rows: [string, string, number][] = [
    ['name', '"params":{"name":"browse_catalog","name":"my_courses","arguments":{}}', 401],
    ['name', '"params":{"name":"my_courses","name":"browse_catalog","arguments":{}}', 200],
    ['params', `${params('browse_catalog')},${params('my_courses')}`, 401],
    ['params', `${params('my_courses')},${params('browse_catalog')}`, 200],
    ['name, spelled with escapes', String.raw`"params":{"name":"browse_catalog","\u006eame":"my_courses"}`, 401],
  ];

  it.each(rows)('authorizes a duplicate key by the value that runs (%s: %s)', async (_key, member, expected) => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call",${member}}`;
    const { status, result } = await post(body, anonymous());
    expect(status).toBe(expected);
    // The public tool ran.
    if (expected === 200) expect(result?.structuredContent).toHaveProperty('items');
    else expect(result).toBeUndefined();
  });

  it('does not bypass authorization by a duplicate method', async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call",${params('my_courses')}}`;
    expect((await post(body, anonymous())).status).toBe(401);
  });
});

it.each(['/mcp//', '/mcp/tools/my_courses', '//mcp', '/mcp;x', '/MCP'])('returns 404 for the path %s', async (path) => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } };
  const { status, result } = await post(body, { ...anonymous(), path, headers: { host: host() } });
  expect([status, result]).toEqual([404, undefined]);
});
