import { randomUUID } from 'node:crypto';
import { surface } from '#src/surface.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newCourse, unique } from './new-course.js';
import { toolCaller } from './tool-caller.js';

const READ = { scopes: ['courses:read'] };
const WRITE = { scopes: ['courses:write'] };
const BOTH = { scopes: ['courses:read', 'courses:write'] };

const json = (args: object): string => JSON.stringify(args);

interface ReceivedResponse {
  readonly status: number;
  readonly etag: string | null;
  readonly body: Record<string, unknown>;
}

let api: TestApi;
let call: ReturnType<typeof toolCaller>['call'];

beforeAll(async () => {
  api = await startAdminApi();
  ({ call } = toolCaller(api));
});
afterAll(() => api.stop());

const operations = surface.routes;
const nameOf = async (id: string): Promise<unknown> => (await api.send('GET', `/api/v1/courses/${id}`)).body['name'];

describe('read_operation', () => {
  it('returns the response of the REST API', async () => {
    const { id, etag } = await newCourse(api);
    const args = {
      operation_id: 'getCourse',
      arguments_json: json({ path: { id }, query: { fields: ['id', 'name'] } }),
    };
    expect(await call('read_operation', args, READ)).toEqual({ status: 200, etag, body: { id, name: 'A course' } });
    const list = { operation_id: 'listCourses', arguments_json: json({ query: { limit: 1, state: 'draft' } }) };
    const page = await call<ReceivedResponse>('read_operation', list, READ);
    expect(page.body).toMatchObject({ data: [{ state: 'draft' }], page: { limit: 1 } });
    expect(await call('read_operation', { operation_id: 'listCourses' }, READ)).toMatchObject({ status: 200 });
  });

  it('returns the errors of the REST API', async () => {
    const read = (args: object) =>
      call('read_operation', { operation_id: 'listCourses', arguments_json: json(args) }, READ);
    expect(await read({ query: { limit: 101 } })).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/arguments_json/query/limit' }],
    });
    expect(await read({ query: { color: 'red' } })).toMatchObject({ code: 'unknown_parameter' });
    expect(await read({ query: { cursor: 'forged' } })).toMatchObject({ code: 'invalid_cursor' });
    expect(await read({ path: { id: 'x' } })).toMatchObject({ code: 'validation_failed' });
    expect(await read({ body: {} })).toMatchObject({ code: 'validation_failed' });
  });

  it.each<[string, string, string]>([
    ['text that is not JSON', '{', '/arguments_json invalid_format'],
    ['empty text', '', '/arguments_json invalid_format'],
    ['a list', '[]', '/arguments_json invalid_type'],
    ['an unknown member', '{"path":{},"headers":{}}', '/arguments_json/headers unknown_member'],
    ['a parameter that is an object', '{"query":{"q":{}}}', '/arguments_json/query/q invalid_value'],
    ['a path that the operation does not have', '{"path":{"id":"x"}}', '/arguments_json/path/id unknown_member'],
    ['more than 64 levels', `{"body":${'['.repeat(64)}${']'.repeat(64)}}`, '/arguments_json too_deep'],
    ['more than 262,144 characters', `{}${' '.repeat(262_143)}`, '/arguments_json too_large'],
  ])('refuses %s and names the place', async (_what, arguments_json, expected) => {
    const refused = await call<{ code: string; errors: { pointer: string; code: string }[] }>(
      'read_operation',
      { operation_id: 'listCourses', arguments_json },
      READ,
    );
    expect(refused.code).toBe('validation_failed');
    expect(refused.errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([expected]);
  });

  it('names the known members with an unknown one', async () => {
    const read = (args: object) =>
      call('read_operation', { operation_id: 'getCourse', arguments_json: json(args) }, READ);
    expect(await read({ course_id: 'x' })).toMatchObject({
      detail: '/arguments_json/course_id: unknown name. Known: path, query',
    });
    expect(await read({ path: { id: 'x', course_id: 'x' } })).toMatchObject({
      detail: '/arguments_json/path/course_id: unknown name. Known: id',
    });
    expect(await read({ path: { id: randomUUID() }, query: { color: 'red' } })).toMatchObject({
      detail: expect.stringMatching(/^color: unknown name\. Known: .*fields/),
    });
  });

  it('accepts 262,144 characters', async () => {
    const args = { operation_id: 'listCourses', arguments_json: `{}${' '.repeat(262_142)}` };
    expect(await call('read_operation', args, READ)).toMatchObject({ status: 200 });
  });

  it('returns not_found for objects of another site and unknown ones', async () => {
    const { id } = await newCourse(api);
    const args = { operation_id: 'getCourse', arguments_json: json({ path: { id } }) };
    expect(await call('read_operation', args, { ...READ, site: api.sites[1] })).toMatchObject({ code: 'not_found' });
    const none = { ...args, arguments_json: json({ path: { id: randomUUID() } }) };
    expect(await call('read_operation', none, READ)).toMatchObject({ code: 'not_found' });
  });

  it('names the next step when the response is too long', async () => {
    const { id } = await newCourse(api, { description_html: `<p>${'課'.repeat(30_000)}</p>` });
    const args = (query: object) => ({ operation_id: 'getCourse', arguments_json: json({ path: { id }, query }) });
    expect(await call('read_operation', args({}), READ)).toMatchObject({
      code: 'payload_too_large',
      hint: expect.stringContaining('fields'),
    });
    expect(await call('read_operation', args({ fields: 'slug' }), READ)).toMatchObject({ status: 200 });
  });
});

describe('change_operation', () => {
  it('creates, changes and deletes, as the REST API does', async () => {
    const slug = unique('change');
    const create = { operation_id: 'createCourse', arguments_json: json({ body: { name: 'Ropes', slug } }) };
    const { body, etag, status } = await call<ReceivedResponse>('change_operation', create, WRITE);
    expect([status, body['slug']]).toEqual([201, slug]);
    const path = { id: String(body['id']) };
    const update = {
      operation_id: 'updateCourse',
      arguments_json: json({ path, body: { name: 'Knots' } }),
      if_match: etag,
    };
    expect(await call('change_operation', update, WRITE)).toMatchObject({ status: 200, body: { name: 'Knots' } });
    expect(await call('change_operation', update, WRITE)).toMatchObject({ code: 'precondition_failed' });
    const remove = { operation_id: 'deleteCourse', arguments_json: json({ path }) };
    expect(await call('change_operation', { ...remove, dry_run: true }, BOTH)).toMatchObject({
      status: 200,
      body: { slug },
      dry_run: true,
    });
    expect(await call('change_operation', remove, WRITE)).toMatchObject({ status: 204, body: null, dry_run: false });
    expect(await call('change_operation', remove, WRITE)).toMatchObject({ code: 'not_found' });
  });

  it('shares idempotency keys with the REST API and refuses one for another request', async () => {
    const caller = { ...WRITE, person_id: randomUUID() };
    const create = (name: string) => ({
      operation_id: 'createCourse',
      arguments_json: json({ body: { name, slug: 'one-key' } }),
      idempotency_key: 'one-key',
    });
    const first = await call('change_operation', create('Ropes'), caller);
    expect(first).toMatchObject({ status: 201 });
    expect(await call('change_operation', create('Ropes'), caller)).toEqual(first);
    expect(await call('change_operation', create('Knots'), caller)).toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('shows the secret of a webhook endpoint once', async () => {
    const body = { url: 'https://receiver.example.com/hook', event_types: ['course.created'] };
    const caller = { scopes: ['school:write', 'school:read', 'courses:read'], person_id: randomUUID() };
    const create = { operation_id: 'createWebhookEndpoint', arguments_json: json({ body }), idempotency_key: 'a-hook' };
    const first = await call<ReceivedResponse>('change_operation', create, caller);
    expect(first).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^whsec_/) } });
    const repeated = await call<ReceivedResponse>('change_operation', create, caller);
    expect(repeated.body).toEqual({ ...first.body, secret: null });
  });

  it('changes nothing in a dry run, in every way to request it', async () => {
    const { id } = await newCourse(api);
    const asked = { path: { id }, body: { name: 'Knots' } };
    const update = { operation_id: 'updateCourse', arguments_json: json(asked) };
    const inQuery = (dry_run: unknown) => ({ ...update, arguments_json: json({ ...asked, query: { dry_run } }) });
    for (const args of [{ ...update, dry_run: true }, inQuery(true), inQuery('true')]) {
      expect(await call('change_operation', args, WRITE)).toMatchObject({ body: { name: 'Knots' }, dry_run: true });
      expect(await nameOf(id)).toBe('A course');
    }
  });

  it('names errors of a body and of a key by JSON pointers to the arguments', async () => {
    const create = { operation_id: 'createCourse', arguments_json: json({ body: { name: '', slug: 'A B' } }) };
    const refused = await call<{ errors: { pointer: string }[] }>('change_operation', create, WRITE);
    expect(refused).toMatchObject({ code: 'validation_failed' });
    expect(refused.errors.map(({ pointer }) => pointer).sort()).toEqual([
      '/arguments_json/body/name',
      '/arguments_json/body/slug',
    ]);
    expect(await call('change_operation', { ...create, idempotency_key: 'my key' }, WRITE)).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/idempotency_key' }],
    });
  });
});

describe('the scope', () => {
  const tools = [
    ['read_operation', operations.filter(({ method }) => method === 'get')],
    ['change_operation', operations.filter(({ method }) => method !== 'get')],
  ] as const;

  it.each(tools)('requires the scope of the operation in %s, for every operation', async (tool, own) => {
    expect(own.length).toBeGreaterThan(4);
    for (const { operation, scopes, parameters } of own) {
      const path = Object.fromEntries(parameters.map((name) => [name, randomUUID()]));
      const args = { operation_id: operation.id, arguments_json: json({ path }) };
      const other = operations.flatMap((route) => route.scopes).filter((scope) => !scopes.includes(scope));
      expect(await call(tool, args, { scopes: other })).toMatchObject({ code: 'insufficient_scope' });
      expect(await call(tool, args)).toMatchObject({ code: 'invalid_token' });
      expect(await call(tool, args, { scopes })).not.toMatchObject({ code: expect.stringMatching(/scope|token/) });
    }
  });

  it('refuses a change through the tool that reads, and a read through the other one', async () => {
    const both = { scopes: [...READ.scopes, ...WRITE.scopes] };
    const { id } = await newCourse(api);
    const publish = { operation_id: 'publishCourse', arguments_json: json({ path: { id } }) };
    expect(await call('read_operation', publish, both)).toMatchObject({ code: 'validation_failed' });
    expect((await api.send('GET', `/api/v1/courses/${id}`)).body['state']).toBe('draft');
    expect(await call('change_operation', { operation_id: 'listCourses' }, both)).toMatchObject({
      code: 'validation_failed',
      hint: 'listCourses only reads: use read_operation',
    });
  });

  it('reaches no other operation by a path', async () => {
    const { id } = await newCourse(api);
    for (const reach of [`../students`, `${id}/../../students`, `${id}?fields=id`, '%2e%2e']) {
      const args = { operation_id: 'getCourse', arguments_json: json({ path: { id: reach } }) };
      expect(await call('read_operation', args, READ)).toMatchObject({ code: 'not_found' });
    }
  });

  it('reaches an object by an own key with any characters', async () => {
    for (const external_id of [`crm:${unique('key')}`, `a/b?c#d%2e é ${unique('key')}`, 'x'.repeat(255)]) {
      const put = { path: { external_id }, body: { name: 'Keyed', slug: unique('keyed') } };
      const args = { operation_id: 'putCourse', arguments_json: json(put) };
      expect(await call('change_operation', args, BOTH)).toMatchObject({ status: 201, body: { external_id } });
      expect(await call('change_operation', args, BOTH)).toMatchObject({ status: 200, body: { external_id } });
    }
    const dots = { operation_id: 'putCourse', arguments_json: json({ path: { external_id: '..' }, body: {} }) };
    expect(await call('change_operation', dots, BOTH)).toMatchObject({ code: 'validation_failed' });
  });
});
