import { ToolsDiscovery } from '@lyceum/tools';
import { parseArguments } from '#src/operations/operation.arguments.policy.js';
import { surface } from '#src/surface.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { toolCaller } from './tool-caller.js';
import type { Items } from './tool-caller.js';

const WRITE = { scopes: ['courses:write'] };
const NONE = { scopes: [] };

let api: TestApi;
let call: ReturnType<typeof toolCaller>['call'];

beforeAll(async () => {
  api = await startAdminApi();
  ({ call } = toolCaller(api));
});
afterAll(() => api.stop());

const operations = surface.routes;

describe('search_operations and describe_operation', () => {
  it('lists every operation, page by page, for any operator', async () => {
    const found: unknown[] = [];
    let after: string | null = null;
    do {
      const page: Items = await call('search_operations', { first: 5, ...(after === null ? {} : { after }) }, NONE);
      found.push(...page.items.map(({ operation_id }) => operation_id));
      after = page.next_cursor;
    } while (after !== null);
    expect(found).toEqual(operations.map(({ operation }) => operation.id).sort());
    expect(await call('search_operations', {})).toMatchObject({ code: 'invalid_token' });
  });

  it('ranks operations by the words of the query', async () => {
    const { items } = await call<Items>('search_operations', { q: 'publish a course' }, NONE);
    expect(items[0]).toEqual({
      operation_id: 'publishCourse',
      summary: 'Publish a course',
      method: 'POST',
      scope: 'courses:write',
      tool: 'publish_course',
    });
    expect(await call('search_operations', { q: 'zeppelin' }, NONE)).toEqual({ items: [], next_cursor: null });
  });

  it.each([
    ['sign up a student', 'enroll_student'],
    ['register a class of users', 'enroll_students'],
    ['add a lesson', 'create_lecture'],
    ['new chapter', 'create_section'],
    ['edit a class', 'update_course'],
    ['remove a user', 'delete_student'],
    ['discount codes', 'create_coupon'],
    ['revenue report', 'get_analytics'],
  ])('finds by %j the tool %s among the first five', async (q, tool) => {
    const { items } = await call<Items>('search_operations', { q, first: 5 }, NONE);
    expect(items.map((item) => item['tool'])).toContain(tool);
  });

  it('names tools that exist, and every tool of an operation', async () => {
    const names = api.service.app.get(ToolsDiscovery, { strict: false }).names();
    const named = new Set<unknown>();
    for (const { operation } of operations) {
      const { tool } = await call<{ tool: string | null }>('describe_operation', { operation_id: operation.id }, NONE);
      if (tool === null) continue;
      expect([operation.id, names.has(tool)]).toEqual([operation.id, true]);
      named.add(tool);
    }
    expect(named.size).toBeGreaterThan(100);
  });

  it('shows arguments of an example call that the operation accepts in their layout', async () => {
    let bodies = 0;
    for (const { method, operation } of operations) {
      const { example_arguments_json, body_schema } = await call<{
        example_arguments_json: string;
        body_schema: object | null;
      }>('describe_operation', { operation_id: operation.id }, NONE);
      const parsed = parseArguments(example_arguments_json, method === 'get' ? 'read' : 'change');
      expect([operation.id, parsed.body === undefined]).toEqual([operation.id, body_schema === null]);
      if (parsed.body !== undefined) bodies += 1;
      const { parameters } = await call<{ parameters: { name: string; in: string; required: boolean }[] }>(
        'describe_operation',
        { operation_id: operation.id },
        NONE,
      );
      const needed = parameters.filter((one) => one.in === 'path' && one.required).map(({ name }) => name);
      expect([operation.id, Object.keys(parsed.path)]).toEqual([operation.id, needed]);
    }
    expect(bodies).toBeGreaterThan(50);
  });

  it('accepts the example of a creation', async () => {
    const { example_arguments_json: arguments_json } = await call<{ example_arguments_json: string }>(
      'describe_operation',
      { operation_id: 'createCategory' },
      NONE,
    );
    const args = { operation_id: 'createCategory', arguments_json, dry_run: true };
    expect(await call('change_operation', args, WRITE)).toMatchObject({ status: 200, dry_run: true });
  });

  it.each([
    [{ first: 0 }, false],
    [{ first: 1 }, true],
    [{ first: 50 }, true],
    [{ first: 51 }, false],
  ])('accepts %j: %s', async (args, fine) => {
    const response = await call('search_operations', args, NONE);
    expect(response).toMatchObject(fine ? { items: expect.any(Array) } : { code: 'validation_failed' });
  });

  it('describes the input of each operation by self-contained schemas', async () => {
    for (const { operation, scopes, anyScope, parameters } of operations) {
      const described = await call<{ parameters: { name: string; in: string }[] }>(
        'describe_operation',
        { operation_id: operation.id },
        NONE,
      );
      expect(described).toMatchObject({
        operation_id: operation.id,
        scope: scopes.join(anyScope === true ? ' or ' : ' '),
      });
      expect(described.parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(parameters);
      expect(JSON.stringify(described)).not.toContain('#/components/');
    }
    const create = await call<{ body_schema: object }>('describe_operation', { operation_id: 'createCourse' }, NONE);
    expect(create.body_schema).toMatchObject({ $ref: '#/$defs/CourseCreate', $defs: { CourseCreate: {} } });
    const none = await call('describe_operation', { operation_id: 'dropTables' }, NONE);
    expect(none).toMatchObject({ code: 'not_found', hint: expect.stringContaining('search_operations') });
  });
});
