import type { Json } from './json.js';

const DRY_RUN = { type: 'boolean', const: true, description: 'The response to `dry_run`: nothing was changed' };

/** Names of components. */
export interface Written {
  /** The objects that an operation creates. */
  readonly created: ReadonlySet<string>;
  /** The objects that an operation creates or changes. */
  readonly changed: ReadonlySet<string>;
}

/**
 * The schema of some members of an object. `fields` selects members. A write shows a caller without the read scope only
 * what the caller may see, also of inner objects. A dry run of a creation has `id: null`.
 */
export function partialObject(name: string, { properties = {} }: Json, { created, changed }: Written): Json {
  const members = properties as Json;
  return {
    type: 'object',
    description: `Some members of ${name}`,
    properties: {
      ...(changed.has(name) ? { dry_run: DRY_RUN, ...someOf(members) } : members),
      ...(created.has(name) ? { id: orNull(members['id']) } : {}),
    },
  };
}

function someOf(members: Json): Json {
  return Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, withoutRequired(schema as Json)]));
}

function withoutRequired({ required: _required, ...schema }: Json): Json {
  const { anyOf, properties } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: (anyOf as Json[]).map(withoutRequired) };
  return typeof properties === 'object' ? { ...schema, properties: someOf(properties as Json) } : schema;
}

/** A page of such objects. The page itself is whole. */
export function partialList(name: string, { properties = {}, required }: Json, items: Json): Json {
  return {
    type: 'object',
    description: `${name} with some members of each object`,
    properties: { ...(properties as Json), data: { type: 'array', items } },
    required,
  };
}

function orNull(id: unknown): Json {
  return { anyOf: [id, { type: 'null' }], description: 'null in a dry run: the object does not exist yet' };
}
