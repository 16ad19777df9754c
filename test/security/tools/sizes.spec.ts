import { rawHttp } from '../raw-http.js';
import {
  call,
  host,
  operatorToken,
  otherSite as at,
  outcome,
  post,
  send,
  sourceIn,
  type CallOptions,
} from './attack.js';

/** Bytes, as documented in docs/tools.md. */
const RESULT = 60 * 1024;

const anonymous = () => ({ source: sourceIn(69) });
const search = (args: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"browse_catalog","arguments":${args}}}`;
const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);

let operator: CallOptions;
beforeAll(async () => {
  operator = {
    at,
    token: await operatorToken(undefined, { at, kind: 'web', role: 'lecturer' }).catch(() =>
      operatorToken('courses:read courses:write', { at, kind: 'web' }),
    ),
  };
});

it.each<[string, number, string | undefined]>([
  ['at the limit', 100, undefined],
  ['one character longer', 101, 'validation_failed'],
  ['200,000 characters', 200_000, 'validation_failed'],
])('limits the length of an argument: %s', async (_what, length, code) => {
  expect(outcome(await call('browse_catalog', { q: 'x'.repeat(length) }, anonymous()))).toEqual([200, code]);
});

it.each<[string, number, string | undefined]>([
  ['0', 0, 'validation_failed'],
  ['1', 1, undefined],
  ['50', 50, undefined],
  ['51', 51, 'validation_failed'],
  ['a half', 1.5, 'validation_failed'],
])('limits the page size: %s', async (_what, first, code) => {
  expect(outcome(await call('browse_catalog', { first }, anonymous()))).toEqual([200, code]);
});

it.each([
  '1e400',
  '-1e400',
  '9007199254740993',
  '1e308',
  '-0.0000001',
  '9'.repeat(10_000),
  'true',
  '"20"',
  '[20]',
  '{}',
])('returns validation_failed for the number %s', async (number) => {
  const short = number.slice(0, 10_000);
  expect(outcome(await post(search(`{"first":${short}}`), anonymous()))).toEqual([200, 'validation_failed']);
});

it.each(['NaN', 'Infinity', '0x10', '01', '+1', '.5', '1_000', "'1'"])(
  'returns a parse error for %s, which is no JSON number',
  async (number) => {
    expect(outcome(await post(search(`{"first":${number}}`), anonymous()))).toEqual([400, -32_700]);
  },
);

const DEEP: [string, string][] = [
  ['lists', nested(100_000, '[', ']')],
  ['objects', `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`],
  ['lists that are never closed', '['.repeat(100_000)],
];

describe.each(DEEP)('deeply nested %s', (_what, deep) => {
  it.each<[string, (deep: string) => string]>([
    ['as a message', (text) => text],
    ['as arguments', search],
    ['as an argument', (text) => search(`{"q":${text}}`)],
    ['as _meta', (text) => `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"a":${text}}}}`],
    ['as an id', (text) => `{"jsonrpc":"2.0","id":${text},"method":"tools/list"}`],
    ['as a method', (text) => `{"jsonrpc":"2.0","id":1,"method":${text}}`],
  ])('refuses deep nesting without an internal error %s', async (_where, make) => {
    const { status, rpcCode, failure, text } = await post(make(deep), anonymous());
    expect([200, 400]).toContain(status);
    expect([rpcCode, failure?.code]).not.toContain('internal');
    expect(rpcCode).not.toBe(-32_603);
    expect(text).not.toMatch(/RangeError|call stack|\.js:\d+/);
  });
});

describe('a message with ten thousand keys', () => {
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_none, i) => [`k${i}`, i])));

  it('refuses ten thousand keys as arguments, briefly', async () => {
    const response = await post(search(many), anonymous());
    expect(outcome(response)).toEqual([200, 'validation_failed']);
    expect(Buffer.byteLength(response.text)).toBeLessThan(RESULT);
  });

  it.each(['path', 'query'])('refuses ten thousand keys as the %s of an operation, briefly', async (place) => {
    const arguments_json = `{"${place}":${many.replaceAll(/:(\d+)/g, ':"$1"')}}`;
    const response = await call('read_operation', { operation_id: 'listCourses', arguments_json }, operator);
    expect(response.status).toBe(200);
    expect(response.failure?.code).toMatch(/^(validation_failed|unknown_parameter|invalid_request)$/);
    expect(Buffer.byteLength(response.text)).toBeLessThan(RESULT);
  });

  it('causes no internal error with the keys in _meta and beside the params', async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":${many}},"more":${many}}`;
    const { status, rpcCode } = await post(body, anonymous());
    expect([200, 400]).toContain(status);
    expect(rpcCode).not.toBe(-32_603);
  });

  it('causes no internal error with the keys as client capabilities', async () => {
    const capabilities = JSON.parse(many) as Record<string, unknown>;
    const params = { protocolVersion: '2025-06-18', clientInfo: { name: 'x', version: '1' }, capabilities };
    const { status, rpcCode } = await send('older', { method: 'initialize', params }, anonymous());
    expect(status).toBeLessThan(500);
    expect(rpcCode).not.toBe(-32_603);
  });
});

describe('a result of a tool', () => {
  const slug = `long-${process.pid}-${Date.now()}`;
  let id: string;
  beforeAll(async () => {
    const body = { name: 'A long one', slug, description_html: `<p>${'word '.repeat(13_000)}</p>` };
    const headers = { host: host(at), authorization: `Bearer ${operator.token!}` };
    const { status, body: made } = await rawHttp(at.base_url, '/api/v1/courses', { headers, json: body });
    expect(status).toBe(201);
    ({ id } = made as { id: string });
  });
  afterAll(() =>
    call('change_operation', { operation_id: 'deleteCourse', arguments_json: `{"path":{"id":"${id}"}}` }, operator),
  );

  it('refuses a result above 60 KiB, with a hint', async () => {
    const { failure, text } = await call(
      'read_operation',
      { operation_id: 'getCourse', arguments_json: `{"path":{"id":"${id}"}}` },
      operator,
    );
    expect(failure).toMatchObject({ code: 'payload_too_large', hint: expect.stringContaining('`fields`') });
    expect(Buffer.byteLength(text)).toBeLessThan(2_000);
  });

  it('returns the result to a request that follows the hint', async () => {
    const arguments_json = JSON.stringify({ path: { id }, query: { fields: 'id,name' } });
    const { result } = await call('read_operation', { operation_id: 'getCourse', arguments_json }, operator);
    expect(result?.structuredContent).toMatchObject({ body: { id, name: 'A long one' } });
  });

  it('stays below the limit in get_course and marks a cut description', async () => {
    const { result, text } = await call('get_course', { id }, operator);
    expect(JSON.stringify(result?.structuredContent)).toContain('"description_truncated":true');
    expect(Buffer.byteLength(text)).toBeLessThan(2 * RESULT);
  });
});
