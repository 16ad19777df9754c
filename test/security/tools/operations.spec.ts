import { rawHttp } from '../raw-http.js';
import { systemStack } from '../../stack/system-stack.js';
import {
  call,
  memberToken,
  operatorToken,
  otherSite as at,
  outcome,
  site,
  sourceIn,
  type CallOptions,
} from './attack.js';
import { declaredTools } from './nats.js';

/** Uses the second site, because other suites use up limits of people of the first. */
const operators: CallOptions[] = [];
let turn = 0;
/** A caller with all scopes, another one each time: messages are limited by person and application. */
const all = (): CallOptions => operators[(turn += 1) % operators.length]!;
let readsCourses: CallOptions;
let writesCourses: CallOptions;
let otherAdmin: CallOptions;
let operations: Record<'read' | 'change', Readonly<Record<string, readonly string[]>>>;

beforeAll(async () => {
  for (const wanted of [{}, { kind: 'confidential' }, { role: 'admin' }] as const) {
    operators.push({ at, token: await operatorToken(undefined, { at, ...wanted }) });
  }
  readsCourses = { at, token: await operatorToken('courses:read', { at, kind: 'web' }) };
  writesCourses = { at, token: await operatorToken('courses:write', { at, kind: 'web', role: 'admin' }) };
  otherAdmin = { at, token: await operatorToken('courses:write', { at, role: 'admin' }) };
  const tools = await declaredTools();
  const of = (name: string) => tools.find((tool) => tool.name === name)!.scopesByArgument!.scopes;
  operations = { read: of('read_operation'), change: of('change_operation') };
});

const read = (operation_id: unknown, args: object = {}, options = all()) =>
  call('read_operation', { operation_id, arguments_json: JSON.stringify(args) }, options);
const change = (operation_id: unknown, args: object = {}, more: object = {}, options = all()) =>
  call('change_operation', { operation_id, arguments_json: JSON.stringify(args), dry_run: true, ...more }, options);

it.each(['read', 'change'] as const)('challenges with the scopes of each operation in %s_operation', async (kind) => {
  const tool = `${kind}_operation`;
  const entries = Object.entries(operations[kind]);
  expect(entries.length).toBeGreaterThan(10);
  for (const [operation_id, scopes] of entries) {
    // No operation has this parameter, so nothing runs.
    const args = { operation_id, arguments_json: '{"path":{"nothing":"x"}}' };
    for (const [caller, held] of [
      [readsCourses, 'courses:read'],
      [writesCourses, 'courses:write'],
    ] as const) {
      const { status, headers } = await call(tool, args, caller);
      const may = scopes.every((scope) => scope === held);
      expect([operation_id, status]).toEqual([operation_id, may ? 200 : 403]);
      if (!may) expect(headers['www-authenticate']).toContain(`scope="${scopes.join(' ')}"`);
    }
    const { status } = await call(tool, args, { at, source: sourceIn(64) });
    expect([operation_id, status]).toEqual([operation_id, 401]);
  }
});

it.each<[string, () => ReturnType<typeof read>]>([
  ['a change by the tool that reads', () => read('createCourse')],
  ['a deletion by the tool that reads', () => read('deleteCourse', { path: { id: 'x' } })],
  ['a reading by the tool that changes', () => change('listCourses')],
  ...['LISTCOURSES', 'listcourses', 'listCourses ', 'listCourses\u0000', 'list_courses', 'l\u0456stCourses'].map(
    (id) => [`the id ${JSON.stringify(id)}`, () => read(id)] as [string, () => ReturnType<typeof read>],
  ),
  ['the method and path', () => read('GET /api/v1/courses')],
  ['a path', () => read('/api/v1/courses')],
  ['__proto__', () => read('__proto__')],
  ['constructor', () => read('constructor')],
  ['a list of ids', () => read(['listCourses'])],
  ['an id that is an object', () => read({ toString: 'listCourses' })],
  ['no id', () => read(undefined)],
  ['two ids', () => call('read_operation', { operation_id: 'x', operationId: 'listCourses' }, all())],
])('does not run %s', async (_what, request) => {
  expect(outcome(await request())).toEqual([200, 'validation_failed']);
});

it.each(['', '..', '.'])('does not run an operation with the path parameter %j', async (id) => {
  const { failure } = await read('getCourse', { path: { id } });
  expect([failure?.code, failure?.fields?.[0]?.field]).toEqual(['validation_failed', '/arguments_json/path/id']);
});

it.each([
  '../students',
  '%2e%2e',
  '%2e%2e%2fstudents',
  '..%2fstudents',
  '%252e%252e',
  'x/../../students',
  'x/publish',
  'x?fields=id',
  'x#y',
  'x;y',
  'x\\y',
  'x\r\nhost: evil',
  'x y',
  '\u0000',
  '\uFF0E\uFF0E\uFF0Fstudents',
])('does not leave the operation by the path parameter %j', async (id) => {
  expect(outcome(await read('getCourse', { path: { id } }))).toEqual([200, 'not_found']);
});

it.each<[string, object, string]>([
  ['a second parameter in the name of one', { query: { 'limit=1&state': 'draft' } }, 'unknown_parameter'],
  ['a second parameter in the value of one', { query: { limit: '1&state=draft' } }, 'invalid_request'],
  ['another site', { query: { site_id: site.site_id } }, 'unknown_parameter'],
  ['an organization', { query: { org_id: site.org_id } }, 'unknown_parameter'],
  ['a token', { query: { access_token: 'x' } }, 'unknown_parameter'],
  ['a list of lists', { query: { state: [['draft']] } }, 'validation_failed'],
  ['a body in a reading', { body: { name: 'x' } }, 'validation_failed'],
  ['headers', { headers: { authorization: 'Bearer x' } }, 'validation_failed'],
  ['a method', { method: 'DELETE' }, 'validation_failed'],
  ['a path for an operation that has none', { path: { id: 'x' } }, 'validation_failed'],
])('refuses a read with smuggled input: %s', async (_what, args, code) => {
  expect(outcome(await read('listCourses', args))).toEqual([200, code]);
});

const body = { name: 'Never made', slug: 'never-made' };

it('accepts a valid change, the control for the refusals below', async () => {
  expect(outcome(await change('createCourse', { body }, { idempotency_key: 'k' }))).toEqual([200, undefined]);
});

it.each<[string, object, object, string, string]>([
  [
    'a member of another site',
    { body: { ...body, site_id: site.site_id } },
    {},
    'validation_failed',
    '/arguments_json/body/site_id',
  ],
  [
    'an id',
    { body: { ...body, id: '018f3b1e-0000-7000-8000-000000000001' } },
    {},
    'validation_failed',
    '/arguments_json/body/id',
  ],
  ['a state', { body: { ...body, state: 'published' } }, {}, 'validation_failed', '/arguments_json/body/state'],
  ['a body that is text', { body: JSON.stringify(body) }, {}, 'validation_failed', '/arguments_json/body'],
  ['a body that is a list', { body: [body] }, {}, 'validation_failed', '/arguments_json/body'],
  ['headers', { body }, { headers: { host: 'evil' } }, 'validation_failed', '/headers'],
  ['a key and a header', { body }, { idempotency_key: 'k\r\nhost: evil' }, 'invalid_request', '/idempotency_key'],
  ['a key with a zero', { body }, { idempotency_key: 'k\u0000' }, 'invalid_request', '/idempotency_key'],
  ['a long key', { body }, { idempotency_key: 'k'.repeat(256) }, 'validation_failed', '/idempotency_key'],
])('refuses a change with smuggled input: %s', async (_what, args, more, code, field) => {
  const { failure } = await change('createCourse', args, more);
  expect([failure?.code, failure?.fields?.[0]?.field]).toEqual([code, field]);
});

it('adds no header from an etag argument', async () => {
  const [course] = ((await read('listCourses')).result!.structuredContent!['body'] as { data: { id: string }[] }).data;
  const args = { path: { id: course!.id }, body: { name: 'Taken over' } };
  const { failure } = await change('updateCourse', args, { if_match: 'x\r\nhost: evil' });
  expect(failure?.code).toBe('precondition_failed');
});

it('prefers the argument dry_run to the query', async () => {
  const args = { query: { dry_run: false }, body };
  expect((await change('createCourse', args)).result?.structuredContent).toMatchObject({ dry_run: true });
  const { result } = await read('listCourses', { query: { q: 'never-made' } });
  expect(result?.structuredContent).toMatchObject({ body: { data: [] } });
});

it('separates idempotency keys of different callers', async () => {
  const idempotency_key = `key-${String(process.pid)}-${String(Date.now())}`;
  const make = (name: string, options: CallOptions) =>
    change(
      'createCourse',
      { body: { name, slug: `${idempotency_key}-${name.toLowerCase()}` } },
      { dry_run: false, idempotency_key },
      options,
    );
  const ids: unknown[] = [];
  for (const [name, options] of [
    ['First', writesCourses],
    ['Second', otherAdmin],
  ] as const) {
    const { result } = await make(name, options);
    const { id, name: made } = result!.structuredContent!['body'] as { id: string; name: string };
    expect(made).toBe(name);
    ids.push(id);
  }
  expect(new Set(ids).size).toBe(2);
  for (const id of ids)
    expect((await change('deleteCourse', { path: { id } }, { dry_run: false })).failure).toBeUndefined();
});

it('returns not_found for an id of another site', async () => {
  const token = await operatorToken('courses:read', { kind: 'web', role: 'admin' });
  const there = await call('read_operation', { operation_id: 'listCourses' }, { token });
  const [course] = (there.result!.structuredContent!['body'] as { data: { id: string }[] }).data;
  const path = { id: course!.id };
  expect((await read('getCourse', { path })).failure?.code).toBe('not_found');
  expect((await change('deleteCourse', { path })).failure?.code).toBe('not_found');
  const direct = await call('get_course', { id: course!.id }, all());
  expect(direct.failure?.code).toBe('not_found');
});

it('exposes no member data by an operation, and no operation to members', async () => {
  const ids = [...Object.keys(operations.read), ...Object.keys(operations.change)];
  expect(ids.filter((id) => /account|notification|viewer|my/i.test(id))).toEqual([]);
  const entries = [...Object.entries(operations.read), ...Object.entries(operations.change)];
  // One of several scopes opens the changes, so the operation itself refuses a token without any.
  expect(entries.filter(([, scopes]) => scopes.length === 0).map(([id]) => id)).toEqual(['listChanges']);
  expect(entries.flatMap(([, scopes]) => scopes).filter((scope) => scope.startsWith('account:'))).toEqual([]);
  const token = await memberToken(undefined, { at });
  for (const id of ['listCourses', 'listChanges']) expect((await read(id, {}, { at, token })).status).toBe(403);
});

it('does not treat a request as internal because of its headers', async () => {
  const principal = JSON.stringify({ audience: 'operator', scopes: ['courses:read'], site_id: at.site_id });
  const names = ['principal', 'x-principal', 'errand', 'x-errand', 'lyceum-principal', 'x-forwarded-user'];
  const admin = systemStack().services.find(({ name }) => name === 'admin-api')!.internal_url;
  for (const base of [at.base_url, admin]) {
    const headers = { host: new URL(at.base_url).host, ...Object.fromEntries(names.map((name) => [name, principal])) };
    expect((await rawHttp(base, '/api/v1/courses', { headers })).status).toBe(401);
  }
  expect(
    (
      await rawHttp(admin, '/api/v1/courses', {
        headers: { host: new URL(at.base_url).host, authorization: `Bearer ${readsCourses.token!}` },
      })
    ).status,
  ).toBe(200);
});
