import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { builtDocument } from './described.js';

const built = builtDocument('openapi.json');

/** A client with the generated types. It must compile, except for its last line. */
const CLIENT = `
import type { components, operations, paths } from './api';
type Course = components['schemas']['Course'];
const slug: (course: Course) => string = (course) => course.slug;
const body: operations['createCourse']['requestBody']['content']['application/json'] = { name: 'Watercolor', slug: 'watercolor' };
const query: paths['/api/v1/courses']['get']['parameters']['query'] = { limit: 50, sort: 'name', 'created_at[gte]': '2026-01-01T00:00:00Z', fields: ['id', 'name'] };
const page: operations['listStudents']['responses'][200]['content']['application/json'] = { data: [], page: { next_cursor: null, has_more: false, limit: 20 } };
const problem = (value: components['schemas']['Problem']): boolean => value.code === 'invalid_state';
export { body, page, problem, query, slug };
`;

it('gives types with which a correct client compiles and a wrong one does not', async () => {
  const types = astToString(await openapiTS(built));
  const faults = (client: string): string[] => {
    const files = new Map([
      ['/api.ts', types],
      ['/client.ts', client],
    ]);
    const host = ts.createCompilerHost({});
    const read = host.readFile.bind(host);
    const library = host.getDefaultLibLocation?.bind(host);
    Object.assign(host, {
      getCurrentDirectory: () => '/',
      fileExists: (name: string) => files.has(name) || ts.sys.fileExists(name),
      readFile: (name: string) => files.get(name) ?? read(name),
      getSourceFile: (name: string, target: ts.ScriptTarget) => {
        const text = files.get(name) ?? ts.sys.readFile(name);
        return text === undefined ? undefined : ts.createSourceFile(name, text, target);
      },
      getDefaultLibLocation: library,
    });
    const program = ts.createProgram(
      ['/client.ts'],
      { strict: true, noEmit: true, types: [], lib: ['lib.es2024.d.ts'] },
      host,
    );
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  };
  expect(faults(CLIENT)).toEqual([]);
  expect(faults(CLIENT.replace("sort: 'name'", "sort: 'price'")).join('\n')).toContain('price');
});
