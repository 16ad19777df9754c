import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { differences } from './differences.ts';
import type { Json } from './json-schema.ts';
import { currentSurfaces, readBaseline, writeBaseline } from './surfaces.ts';
import type { Surfaces } from './surfaces.ts';

const root = join(__dirname, '../..');
const surfaces = currentSurfaces(root);

/** The object at a place of the surfaces. */
const at = (copy: Surfaces, ...steps: readonly string[]): Record<string, unknown> =>
  steps.reduce<unknown>((found, step) => (found as Json)[step], copy) as Record<string, unknown>;

function edited(edit: (copy: Surfaces) => void | Partial<Surfaces>): string[] {
  const copy = structuredClone(surfaces);
  const more = edit(copy);
  return differences(surfaces, { ...copy, ...more });
}

describe('the differences from the baseline', () => {
  it('lists nothing for equal surfaces', () => {
    expect(edited(() => {})).toEqual([]);
  });

  const courses = ['openapi', 'paths', '/api/v1/courses', 'get'] as const;
  const course = ['openapi', 'components', 'schemas', 'Course'] as const;

  it.each<[string, (copy: Surfaces) => void | Partial<Surfaces>, string]>([
    [
      'an added operation',
      (copy) => void (at(copy, 'openapi', 'paths')['/api/v1/badges'] = { get: {} }),
      '+ openapi.json.paths./api/v1/badges',
    ],
    [
      'a removed operation',
      (copy) => void delete at(copy, 'openapi', 'paths', '/api/v1/courses')['get'],
      '- openapi.json.paths./api/v1/courses.get',
    ],
    [
      'a changed text',
      (copy) => void (at(copy, ...courses)['summary'] = 'Show'),
      '~ openapi.json.paths./api/v1/courses.get.summary: "List courses" → "Show"',
    ],
    [
      'an added parameter',
      (copy) => void (at(copy, ...courses)['parameters'] as Json[]).unshift({ in: 'query', name: 'badge' }),
      '+ openapi.json.paths./api/v1/courses.get.parameters.query badge',
    ],
    [
      'an added field',
      (copy) => void (at(copy, ...course, 'properties')['badge'] = {}),
      '+ openapi.json.components.schemas.Course.properties.badge',
    ],
    [
      'a field that may be missing',
      (copy) => void (at(copy, ...course)['required'] as string[]).splice(0, 1),
      '- openapi.json.components.schemas.Course.required."id"',
    ],
    [
      'an added field of GraphQL',
      ({ graphql }) => ({ graphql: graphql.replace('type Query {', 'type Query {\n  badge: String') }),
      '+ schema.graphql.Query.fields.badge',
    ],
    ['a removed tool', (copy) => void delete at(copy, 'tools')['list_courses'], '- tools.json.list_courses'],
    [
      'a changed scope of a tool',
      (copy) => void (at(copy, 'tools', 'list_courses')['scopes'] = ['courses:read', 'students:read']),
      '+ tools.json.list_courses.scopes."students:read"',
    ],
    ['a removed event', (copy) => void delete at(copy, 'events')['school.course.v1'], '- events.school.course.v1'],
  ])('lists %s', (_name, edit, line) => {
    expect(edited(edit)).toEqual([line]);
  });

  it('shows a long text from shortly before its change', () => {
    const long = 'A sentence. '.repeat(50);
    const [line = ''] = differences(
      { ...surfaces, openapi: { description: `${long}One` } },
      { ...surfaces, openapi: { description: `${long}Two` } },
    );
    expect(line).toMatch(/^~ openapi\.json\.description: ….{5,40}One" → ….{5,40}Two"$/);
  });
});

describe('npm run compare', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-compare-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it('prints all differences, and marks those that break clients', () => {
    cpSync(join(root, 'docs/compatibility'), join(directory, 'docs/compatibility'), { recursive: true });
    const { version } = readBaseline(root);
    const before = structuredClone(surfaces);
    at(before, 'openapi', 'paths')['/api/v1/badges'] = { get: { responses: {} } };
    delete at(before, 'openapi', 'components', 'schemas', 'Course', 'properties')['slug'];
    writeBaseline(directory, { version, surfaces: before });
    mkdirSync(join(directory, 'dist'));
    for (const name of ['openapi.json', 'tools.json', 'schema.graphql'])
      cpSync(join(root, 'dist', name), join(directory, 'dist', name));
    const printed = execFileSync(process.execPath, [join(__dirname, 'compare.ts'), directory], { encoding: 'utf8' });
    expect(printed.trim().split('\n')).toEqual([
      '- openapi.json.paths./api/v1/badges',
      '+ openapi.json.components.schemas.Course.properties.slug',
      `2 differences from ${version}, of which these break clients: 1`,
      '! openapi.json: GET /api/v1/badges: was removed',
    ]);
  });
});
