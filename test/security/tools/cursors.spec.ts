import {
  ERAS,
  META,
  call,
  memberToken,
  operatorToken,
  otherSite,
  operatorTokenOfNewClient,
  outcome,
  post,
  send,
  sourceIn,
  wire,
  type CallOptions,
} from './attack.js';

const encode = (text: string): string => Buffer.from(text).toString('base64url');
const LISTS = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'] as const;

let operator: CallOptions;
let otherOperator: CallOptions;
let there: CallOptions;
let member: CallOptions;

beforeAll(async () => {
  operator = { token: await operatorToken(undefined, { role: 'admin' }) };
  otherOperator = { token: await operatorTokenOfNewClient('courses:read', 'admin') };
  there = { at: otherSite, token: await operatorToken(undefined, { at: otherSite, kind: 'confidential' }) };
  member = { token: await memberToken(undefined, { kind: 'confidential' }) };
});

const cursorOf = async (name: string, args: object, options: CallOptions): Promise<string> => {
  const { result } = await call(name, args, options);
  const { next_cursor } = result!.structuredContent as { next_cursor: unknown };
  if (typeof next_cursor !== 'string') throw new Error(`${name} has one page only`);
  return next_cursor;
};

describe.each(LISTS)('the cursor of %s', (method) => {
  const listed = (cursor: unknown, options: CallOptions) => send('older', { method, params: { cursor } }, options);

  it.each<[string, unknown]>([
    ['empty', ''],
    ['no base64url', '!!'],
    ['with a line break', 'YQ\r\n'],
    ['in the older alphabet', 'a+b/'],
    ['too long', 'a'.repeat(513)],
    ['a number', 5],
    ['null', null],
    ['a list', ['YQ']],
    ['an object', { after: 'a' }],
  ])('refuses a cursor that is %s', async (_what, cursor) => {
    expect(outcome(await listed(cursor, { source: sourceIn(65) }))).toEqual([200, -32_602]);
  });

  it.each(['a', 'list_', 'list_my_', 'school://', '\u0000', '__proto__', '\u{10FFFF}', "' OR 1=1 --"])(
    'shows no additional entries when it is forged as %j',
    async (after) => {
      const options = { source: sourceIn(66) };
      const keys = async (cursor?: string): Promise<string[]> => {
        const { result } = await send('older', { method, params: cursor === undefined ? {} : { cursor } }, options);
        const [entries] = Object.values(result!).filter((value) => Array.isArray(value)) as { name: string }[][];
        return entries!.map(({ name }) => name);
      };
      const all = await keys();
      expect((await keys(encode(after))).filter((name) => !all.includes(name))).toEqual([]);
    },
  );
});

it('shows each caller their own tools for a forged cursor of tools/list', async () => {
  const everything = encode(' ');
  const names = async (options: CallOptions): Promise<unknown> =>
    (await send('older', { method: 'tools/list', params: { cursor: everything } }, options)).result!['tools'];
  expect(await names({ source: sourceIn(65) })).not.toEqual(await names(member));
  expect(JSON.stringify(await names(member))).not.toContain('list_students');
  expect(JSON.stringify(await names(operator))).toContain('list_students');
});

describe('the cursor of a tool', () => {
  let courses: string;
  beforeAll(async () => {
    courses = await cursorOf('list_courses', { first: 1 }, operator);
  });

  it('continues its own list', async () => {
    const { result } = await call('list_courses', { first: 1, after: courses }, operator);
    expect(result?.structuredContent).toHaveProperty('items.0.id');
  });

  it.each<[string, () => ReturnType<typeof call>]>([
    ['to another tool', () => call('list_students', { first: 1, after: courses }, operator)],
    ['to the search of operations', () => call('search_operations', { first: 1, after: courses }, operator)],
    ['to a public tool', () => call('browse_catalog', { first: 1, after: courses }, { source: sourceIn(65) })],
    ['to a list of a member', () => call('my_courses', { first: 1, after: courses }, member)],
    ['to another filter', () => call('list_courses', { first: 1, after: courses, state: 'draft' }, operator)],
    ['to another site', () => call('list_courses', { first: 1, after: courses }, there)],
    ['with a letter more', () => call('list_courses', { first: 1, after: `${courses}A` }, operator)],
    ['with its first letter changed', () => call('list_courses', { after: `~${courses.slice(1)}` }, operator)],
    ['cut', () => call('list_courses', { after: courses.slice(0, -4) }, operator)],
    ['of the protocol', () => call('list_courses', { after: encode('list_courses') }, operator)],
  ])('refuses a cursor that is used %s', async (_what, request) => {
    const { status, failure } = await request();
    expect(status).toBe(200);
    expect(['invalid_cursor', 'validation_failed']).toContain(failure?.code);
  });

  it.each<[string, (cursor: string) => string]>([
    ['a row before all', (cursor) => forge(cursor, /[0-9a-f]{8}-[0-9a-f]{4}-7/, '00000000-0000-7')],
    ['a piece of SQL', (cursor) => encode(`${decode(cursor)}' OR 1=1 --`)],
    ['another site', () => encode(JSON.stringify({ site_id: otherSite.site_id }))],
    ['a list of nothing', () => encode('[]')],
    ['null', () => encode('null')],
    ['deep JSON', () => encode(`${'['.repeat(500)}${']'.repeat(500)}`)],
  ])('refuses a cursor that is forged as %s, or shows only allowed rows', async (_what, make) => {
    const { status, failure, result } = await call('list_courses', { first: 50, after: make(courses) }, operator);
    expect(status).toBe(200);
    if (failure !== undefined) {
      expect(failure.code).toBe('invalid_cursor');
      return;
    }
    const { items } = result!.structuredContent as { items: { id: string }[] };
    const mine = (await call('list_courses', { first: 50 }, operator)).result!.structuredContent as typeof result & {
      items: { id: string }[];
    };
    expect(items.filter(({ id }) => !mine.items.some((one) => one.id === id))).toEqual([]);
  });

  it('shows another operator only rows of their own site', async () => {
    const { result } = await call('list_courses', { first: 50, after: courses }, otherOperator);
    const own = await call('list_courses', { first: 50 }, otherOperator);
    const ids = (list: unknown) => (list as { items: { id: string }[] }).items.map(({ id }) => id);
    expect(ids(own.result!.structuredContent)).toEqual(expect.arrayContaining(ids(result!.structuredContent)));
  });
});

const decode = (cursor: string): string => Buffer.from(cursor, 'base64url').toString();
const forge = (cursor: string, from: RegExp, to: string): string => encode(decode(cursor).replace(from, to));

describe('requestState', () => {
  const STATES: [string, unknown][] = [
    ['a text', 'eyJhbGciOiJub25lIn0.eyJ0b29sIjoibGlzdF9jb3Vyc2VzIn0.'],
    ['another caller', encode(JSON.stringify({ principal: { audience: 'operator', scopes: ['courses:read'] } }))],
    ['an object', { tool: 'list_courses', approved: true }],
    ['a number', 5],
    ['__proto__', JSON.parse('{"__proto__":{"approved":true}}')],
  ];

  it.each(STATES)('opens no protected tool when it holds %s', async (_what, requestState) => {
    for (const era of ERAS) {
      const message = {
        id: 1,
        method: 'tools/call',
        params: { name: 'list_courses', arguments: {}, requestState, inputResponses: { a: { action: 'accept' } } },
      };
      const { body, headers } = wire(era, message);
      expect((await post(body, { source: sourceIn(65), headers })).status).toBe(401);
      expect((await post(body, { ...member, headers })).status).toBe(403);
    }
  });

  it.each(STATES)('does not change an allowed call when it holds %s', async (_w, requestState) => {
    const params = { name: 'get_school_profile', arguments: {}, requestState, _meta: META };
    const { headers } = wire('modern', { method: 'tools/call', params });
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const { status, rpcCode, result, text } = await post(body, { source: sourceIn(65), headers });
    expect(status).toBeLessThan(500);
    expect(rpcCode).not.toBe(-32_603);
    if (rpcCode === undefined) expect(result?.structuredContent).toHaveProperty('name');
    expect(text).not.toContain('approved');
  });
});
