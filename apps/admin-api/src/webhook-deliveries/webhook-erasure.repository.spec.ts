import { z } from 'zod';
import { PUBLIC_DATA } from '#src/changes/public-event-data.js';
import { STUDENT_PATHS } from './webhook-erasure.repository.js';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** The paths at which a value of the schema can have the member. */
function pathsOf(name: string, schema: JsonSchema | boolean, at: readonly string[] = []): string[] {
  if (typeof schema === 'boolean') return [];
  const { properties = {}, items = [], anyOf = [], $defs = {} } = schema;
  const parts = [
    ...Object.entries(properties).map(([member, part]) => [part, [...at, member]] as const),
    ...[items].flat().map((part) => [part, [...at, '[]']] as const),
    ...Object.entries($defs).map(([id, part]) => [part, [...at, id]] as const),
    ...anyOf.map((part) => [part, at] as const),
  ];
  const found = name in properties ? [[...at, name].join('.')] : [];
  return [...found, ...parts.flatMap(([part, path]) => pathsOf(name, part, path))];
}

it('knows each path at which the data of a public event names a student', () => {
  const schemas = Object.values(PUBLIC_DATA).map(({ schema }) =>
    z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }),
  );
  const paths = schemas.flatMap((schema) => pathsOf('student_id', schema));
  expect(new Set(paths)).toEqual(new Set(STUDENT_PATHS.map((path) => path.join('.'))));
});
