import type { Json } from './cases.js';

/** Finds the schema that a `$ref` names. */
export type Resolve = (schema: Json) => Json;

export function alternativesOf(schema: Json, resolve: Resolve): Json[] {
  const resolved = resolve(schema);
  const several = (resolved['anyOf'] ?? resolved['oneOf']) as Json[] | undefined;
  return several === undefined ? [resolved] : several.flatMap((one) => alternativesOf(one, resolve));
}

/** Values that the schema refuses because of their type: one, and null unless the schema accepts it. */
export function foreignValues(schema: Json, resolve: Resolve): unknown[] {
  const types = typesOf(schema, resolve);
  const value = [7.5, 'text', true, [7.5], { 'a b': 7 }].find((one) => !types.has(typeOf(one)));
  return types.has('null') ? [value] : [value, null];
}

export function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
}

function typesOf(schema: Json, resolve: Resolve): ReadonlySet<string> {
  const types = alternativesOf(schema, resolve).flatMap((one) => one['type'] ?? typeOf(one['const'] ?? 'x'));
  return new Set((types as string[]).map((type) => (type === 'integer' ? 'number' : type)));
}
