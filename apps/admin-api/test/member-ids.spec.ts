import { SHARED_TYPES, isSharedIdPattern } from '@lyceum/contracts';
import { z } from 'zod';
import { collections } from '#src/collections.js';
import { surface } from '#src/surface.js';

type Json = Readonly<Record<string, unknown>>;

/** Members of requests that name an object which the member API shows under an id with a prefix. */
const NAMES = /^(?:enrollment|grant|purchase|consulting_purchase|booking|registration|post|object|commentable)_id$/;

const declared = collections.flatMap((module) => module.collections);

function* membersOf(schema: unknown): Generator<readonly [string, Json]> {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties } = schema as { properties?: Record<string, Json> };
  for (const member of Object.entries(properties ?? {})) yield member;
  for (const inner of Object.values(schema)) yield* membersOf(inner);
}

function namedIn(place: string, schema: z.ZodType): (readonly [string, Json])[] {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return [...membersOf(json)].filter(([name]) => NAMES.test(name)).map(([name, one]) => [`${place} ${name}`, one]);
}

describe('objects with an id of the operator API and one of the member API', () => {
  it('belongs to a resource for each type, whose paths the matrix calls with both ids', () => {
    const types = declared.flatMap(({ resource }) => resource.memberType ?? []);
    expect([...new Set(types)].toSorted()).toEqual([...SHARED_TYPES].toSorted());
  });

  it('accepts both ids in each filter, body and argument', () => {
    const requests = surface.routes.flatMap(({ operation, query, body }) =>
      [query, body].flatMap((schema) => (schema === undefined ? [] : namedIn(operation.id, schema))),
    );
    const inPaths = surface.routes.flatMap(({ operation, parameters, parameterSchemas = {} }) =>
      parameters
        .filter((name) => NAMES.test(name))
        .map((name) => [`${operation.id} ${name}`, z.toJSONSchema(parameterSchemas[name] ?? z.uuid())] as const),
    );
    const inTools = declared.flatMap(({ tools }) =>
      tools.flatMap(({ declaration: { name, input } }) => namedIn(name, input)),
    );
    for (const found of [requests, inPaths, inTools]) expect(found.length).toBeGreaterThan(1);
    const formsOf = (schema: Json): readonly Json[] => (schema['anyOf'] ?? [schema]) as readonly Json[];
    const plain = [...requests, ...inPaths, ...inTools].filter(
      ([, schema]) => !formsOf(schema).some(({ pattern }) => isSharedIdPattern(pattern)),
    );
    expect(plain.map(([place]) => place)).toEqual([]);
  });
});
