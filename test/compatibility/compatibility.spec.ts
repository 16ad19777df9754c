import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { schemaChanges } from './json-schema.ts';
import type { Direction } from './json-schema.ts';
import { breakingChanges, currentSurfaces, readBaseline, refusesBreaking, writeBaseline } from './surfaces.ts';
import type { Surfaces } from './surfaces.ts';

const root = join(__dirname, '../..');
const surfaces = currentSurfaces(root);
/** Surfaces without any operation. */
const NONE: Surfaces = {
  openapi: { paths: {} },
  graphql: 'type Query { id: ID }',
  tools: {},
  events: {},
  commands: {},
  consumers: {},
};

describe('the surfaces of the working tree', () => {
  it('breaks no released contract (before v0.1.0, changes are only reported)', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const baseline = readBaseline(root);
    const changes = breakingChanges(baseline.surfaces, surfaces);
    const refused = refusesBreaking(version, baseline.version);
    if (!refused && changes.length > 0) {
      process.stdout.write(`Breaking since ${baseline.version}:\n${changes.join('\n')}\n`);
    }
    expect(refused ? changes : []).toEqual([]);
  });
});

it.each([
  ['0.0.9', '0.0.1', false],
  ['0.1.0-dev', '0.1.0-dev', false],
  ['0.1.0', '0.1.0-dev', true],
  ['0.1.1', '0.1.0', true],
  ['1.2.0', '1.0.0', true],
  ['0.2.0-dev', '0.1.0', true],
  ['1.0.0', '0.9.0', false],
])('refuses breaking changes at %s with the baseline of %s: %p', (version, baseline, refused) => {
  expect(refusesBreaking(version, baseline)).toBe(refused);
});

const text = { type: 'string' };
const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });

const UUID = { type: 'string', format: 'uuid' };
const INSTANT = { type: 'string', format: 'date-time' };

it.each<[Direction, string, object, object, number]>([
  ['request', 'a member was removed', object({ a: text }), object({}), 1],
  ['request', 'a member became required', object({ a: text }), object({ a: text }, ['a']), 1],
  ['request', 'a member was added', object({}), object({ a: text }), 0],
  ['request', 'a value is no longer accepted', { enum: ['a', 'b'] }, { enum: ['a'] }, 1],
  ['request', 'a value was added', { enum: ['a'] }, { enum: ['a', 'b'] }, 0],
  ['request', 'a limit got lower', { type: 'string', maxLength: 9 }, { type: 'string', maxLength: 8 }, 1],
  ['request', 'a limit got higher', { type: 'string', maxLength: 8 }, { type: 'string', maxLength: 9 }, 0],
  ['request', 'a minimum got higher', { type: 'integer', minimum: 1 }, { type: 'integer', minimum: 2 }, 1],
  ['request', 'null is refused', { anyOf: [text, { type: 'null' }] }, text, 1],
  ['request', 'null is accepted', text, { anyOf: [text, { type: 'null' }] }, 0],
  ['request', 'an integer may be a number', { type: 'integer' }, { type: 'number' }, 0],
  ['request', 'a pattern was added', text, { type: 'string', pattern: '^a' }, 1],
  ['request', 'a pattern accepts the format', INSTANT, { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\d` }, 0],
  ['request', 'a pattern refuses values of the format', INSTANT, { type: 'string', pattern: 'T09:30:00Z$' }, 1],
  ['request', 'a pattern accepts UUIDs', UUID, { type: 'string', pattern: '^(enr_)?[0-9a-fA-F-]{36}$' }, 0],
  ['request', 'a pattern refuses UUIDs', UUID, { type: 'string', pattern: '^enr_[0-9a-fA-F-]{36}$' }, 1],
  ['response', 'a member was removed', object({ a: text }), object({}), 1],
  ['response', 'a member may be missing', object({ a: text }, ['a']), object({ a: text }), 1],
  ['response', 'a member was added', object({}), object({ a: text }, ['a']), 0],
  ['response', 'a value was added', { enum: ['a'] }, { enum: ['a', 'b'] }, 0],
  ['response', 'a longer text', { type: 'string', maxLength: 8 }, { type: 'string', maxLength: 9 }, 0],
  ['response', 'null is new', text, { type: ['string', 'null'] }, 1],
  ['response', 'null is gone', { type: ['string', 'null'] }, text, 0],
  ['response', 'the type changed', { type: 'array', items: text }, { type: 'array', items: { type: 'integer' } }, 1],
  ['response', 'the format changed', UUID, text, 1],
])('finds the breaking changes of a %s: %s', (direction, _name, before, after, count) => {
  expect(schemaChanges(direction, before, after)).toHaveLength(count);
});

it('compares recursive schemas', () => {
  const node = (extra: object) => ({ Node: object({ next: { $ref: '#/Node' }, ...extra }) });
  const reference = { $ref: '#/Node' };
  const compare = (before: object, after: object) =>
    schemaChanges('response', reference, reference, { documents: [node(before), node(after)] });
  expect(compare({ a: text }, { a: text })).toEqual([]);
  expect(compare({ a: text }, {})).toEqual(['.a: was removed']);
});

interface Webhook {
  readonly parameters: object[];
  readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>> };
  readonly responses: Record<string, object>;
}
type Schemas = Record<string, { readonly properties: Record<string, object> }>;

describe('a violation of each surface', () => {
  /** The current surfaces with one edit. */
  function edited(edit: (current: Surfaces) => Partial<Surfaces>): string[] {
    const changed = edit(structuredClone(surfaces));
    const names = Object.keys(changed) as (keyof Surfaces)[];
    const before = { ...NONE, ...Object.fromEntries(names.map((name) => [name, surfaces[name]])) };
    return breakingChanges(before, { ...before, ...changed });
  }

  it('finds no violation in unchanged surfaces', () => {
    expect(breakingChanges(surfaces, structuredClone(surfaces))).toEqual([]);
    expect(Object.keys(surfaces.events).length).toBeGreaterThan(20);
  });

  it('finds a violation in OpenAPI: an operation, a parameter, a member, a scope', () => {
    const without = (path: string[], name: string): string[] =>
      edited(({ openapi }) => {
        const parent = path.reduce<Record<string, unknown>>(
          (at, step) => at[step] as Record<string, unknown>,
          openapi as Record<string, unknown>,
        );
        if (!Object.hasOwn(parent, name)) throw new Error(`${name} is not in the document`);
        delete parent[name];
        return { openapi };
      });
    expect(without(['paths', '/api/v1/courses'], 'get')).toEqual(['openapi.json: GET /api/v1/courses: was removed']);
    expect(without(['paths', '/api/v1/courses', 'get'], 'parameters')).toContain(
      'openapi.json: GET /api/v1/courses: the query parameter limit was removed',
    );
    expect(without(['components', 'schemas', 'Course', 'properties'], 'slug').join('\n')).toContain(
      'slug: was removed',
    );
    expect(
      edited(({ openapi }) => {
        const paths = openapi['paths'] as Record<string, Record<string, { security: object[] }>>;
        paths['/api/v1/courses']?.['get']?.security.push({ oauth2: ['students:read'] });
        return { openapi };
      }),
    ).toEqual(['openapi.json: GET /api/v1/courses: needs the scope students:read now']);
  });

  it('finds a violation in webhooks: a type, a member, a header, an answer', () => {
    const { webhooks } = surfaces.openapi as { webhooks: Record<string, { post: Webhook }> };
    const [type = ''] = Object.keys(webhooks);
    const changed = (edit: (message: Webhook, all: typeof webhooks, schemas: Schemas) => void): string[] =>
      edited(({ openapi }) => {
        const { webhooks: all, components } = openapi as {
          webhooks: typeof webhooks;
          components: { schemas: Schemas };
        };
        edit(all[type]!.post, all, components.schemas);
        return { openapi };
      });
    expect(changed((_message, all) => delete all[type])).toEqual([`openapi.json: webhook ${type}: was removed`]);
    expect(changed(({ responses }) => delete responses['410'])).toEqual([
      `openapi.json: webhook ${type}: the meaning of the answer 410 was removed`,
    ]);
    expect(changed(({ parameters }) => parameters.shift())).toEqual([
      `openapi.json: webhook ${type}: the header parameter webhook-id was removed`,
    ]);
    const { $ref } = webhooks[type]!.post.requestBody.content['application/json']!.schema;
    const name = $ref.split('/').at(-1) ?? '';
    expect(changed((_message, _all, schemas) => delete schemas[name]!.properties['timestamp'])).toEqual([
      `openapi.json: webhook ${type}: body.timestamp: was removed`,
    ]);
    const before = { ...surfaces, openapi: { ...surfaces.openapi, webhooks: undefined } };
    expect(breakingChanges(before, surfaces)).toEqual([]);
  });

  it('finds a violation in GraphQL, but not for an added field', () => {
    const rename = (from: string, to: string) => edited(({ graphql }) => ({ graphql: graphql.replace(from, to) }));
    expect(rename('  unreadNotificationCount: Int\n}', '  unread: Int\n}')).toEqual([
      expect.stringContaining('schema.graphql: Viewer.unreadNotificationCount was removed'),
    ]);
    expect(rename('type Query {', 'type Query {\n  added: String')).toEqual([]);
  });

  it('finds a violation in tools: a tool, an argument, a scope', () => {
    expect(edited(({ tools: { list_courses: _gone, ...tools } }) => ({ tools }))).toEqual([
      'tools.json: list_courses: was removed',
    ]);
    const changed = edited(({ tools }) => {
      const tool = tools['list_courses'] as { inputSchema: object; scopes: string[] };
      return {
        tools: { ...tools, list_courses: { ...tool, inputSchema: object({}), scopes: ['x:read', ...tool.scopes] } },
      };
    });
    expect(changed[0]).toBe('tools.json: list_courses: needs the scope x:read now');
    expect(changed[1]).toMatch(/input\.\w+: was removed$/);
  });

  it('finds a violation in events: an event, a member', () => {
    const gone = edited(({ events: { 'school.course.v1': _gone, ...events } }) => ({ events }));
    expect(gone).toEqual(['events/school.course.v1.json: was removed']);
    const changed = edited(({ events }) => ({ events: { ...events, 'school.course.v1': { names: [], data: {} } } }));
    expect(changed.length).toBeGreaterThan(1);
  });

  it('finds a violation in commands of storefronts: a command, a member of its input, a member of its output', () => {
    const name = 'school.review.post.v1';
    const gone = edited(({ commands: { [name]: _gone, ...commands } }) => ({ commands }));
    expect(gone).toEqual([`commands.json: ${name}: was removed`]);
    const without = (part: 'input' | 'output', member: string): string[] =>
      edited(({ commands }) => {
        const { properties } = (commands[name] as Record<typeof part, { properties: Record<string, object> }>)[part];
        expect(properties[member]).toBeDefined();
        delete properties[member];
        return { commands };
      });
    expect(without('input', 'rating').join()).toContain(`commands.json: ${name}: input.rating`);
    expect(without('output', 'review_id').join()).toContain(`commands.json: ${name}: output.review_id`);
  });

  it('finds a violation in consumers: a filter that is new, one that is gone', () => {
    const name = 'SCHOOL/admin-api-changes';
    const filters = surfaces.consumers[name] ?? [];
    const receives = (...given: string[]) =>
      edited(({ consumers }) => ({ consumers: { ...consumers, [name]: given } }));
    expect(receives(...filters, 'school.badge.*.v1')).toEqual([
      `consumers.json: ${name}: receives school.badge.*.v1 now, so the last release cannot read it: add a consumer`,
    ]);
    expect(receives(...filters.slice(1))).toEqual([`consumers.json: ${name}: receives ${filters[0]} no longer`]);
    expect(edited(({ consumers }) => ({ consumers: { ...consumers, 'SCHOOL/new': ['school.badge.*.v1'] } }))).toEqual(
      [],
    );
    expect(edited(({ consumers: { [name]: _gone, ...consumers } }) => ({ consumers }))).toEqual([]);
  });
});

describe('the baseline', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-baseline-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it.each([
    'version.json',
    'openapi.json',
    'schema.graphql',
    'tools.json',
    'events',
    'commands.json',
    'consumers.json',
  ])('refuses a baseline without %s', (part) => {
    const baseline = join(directory, part, 'docs/compatibility');
    mkdirSync(baseline, { recursive: true });
    const others = readdirSync(join(root, 'docs/compatibility')).filter((name) => name !== part);
    for (const name of others) symlinkSync(join(root, 'docs/compatibility', name), join(baseline, name));
    expect(() => readBaseline(join(directory, part))).toThrow(`docs/compatibility/${part} is missing`);
  });

  it('reads the baseline as it was written', () => {
    const baseline = { version: '0.1.0', surfaces };
    writeBaseline(directory, baseline);
    expect(JSON.stringify(readBaseline(directory).surfaces.openapi)).toBe(JSON.stringify(baseline.surfaces.openapi));
    expect(breakingChanges(readBaseline(directory).surfaces, baseline.surfaces)).toEqual([]);
    expect(readBaseline(directory).version).toBe('0.1.0');
  });
});
