import { z } from 'zod';
import { withDiscriminators } from './discriminators.js';
import { exampleOf, withExamples } from './examples.js';
import type { Json } from './json.js';

export type { Json } from './json.js';

/** Zod schemas as JSON Schema 2020-12, which is what OpenAPI 3.1 speaks. Those with an `id` become components. */
export class Schemas {
  readonly #components = new Map<string, Json>();
  /** Components that are bodies of requests and responses. */
  readonly #bodies = new Set<string>();

  /** A schema of a body, or a reference to its component. */
  reference(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $schema: _schema, $defs: definitions = {}, ...root } = convert(schema, io);
    for (const [id, definition] of Object.entries(definitions as Record<string, Json>)) this.#add(id, definition);
    if (typeof root['id'] !== 'string') return root;
    return this.#add(root['id'], root);
  }

  /** The media type of a body: its schema, and the example of its component. */
  media(body: z.ZodType, io: 'input' | 'output'): Json {
    const schema = this.reference(body, io);
    if (typeof schema['$ref'] !== 'string') return { schema };
    const name = schema['$ref'].split('/').at(-1) ?? '';
    this.#bodies.add(name);
    return { schema, examples: { [name]: { $ref: `#/components/examples/${name}` } } };
  }

  /** The example of each body. Throws for a component without one. */
  get examples(): Json {
    const components = Object.fromEntries(this.#components);
    return Object.fromEntries(
      [...this.#bodies].toSorted().map((name) => {
        const value = exampleOf(components, name);
        if (value === undefined) throw new Error(`${name} needs an example`);
        return [name, { value }];
      }),
    );
  }

  /** Sorts by name, so that the document does not depend on the order of routes. */
  get components(): Json {
    const sorted = Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
    return withExamples(withDiscriminators(sorted));
  }

  #add(name: string, { id: _id, ...definition }: Json): Json {
    this.#components.set(name, definition);
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** The schema of one query parameter, as it is after parsing: a number, not the digits that spell it. */
export function parameterSchema(schema: z.ZodType): Json {
  const { $schema: _schema, ...converted } = convert(schema, 'output');
  return converted;
}

function convert(schema: z.ZodType, io: 'input' | 'output'): Json {
  const converted = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    override: ({ zodSchema, jsonSchema }) => {
      // zod drops examples of a body with a transformed member: they could be of the result. Ours are of the body.
      const examples = z.globalRegistry.get(zodSchema)?.['examples'];
      if (Array.isArray(examples)) jsonSchema.examples = examples;
      // A format says it all; the patterns that zod adds are for machines that do not know it.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (io === 'input') return sayDefault(jsonSchema);
      // A response may grow: a client that refuses what it does not know would break then.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // The limits of `z.int()` itself would show counts that can be negative.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return JSON.parse(JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}

/** Describes the default in words, because openapi-typescript makes a member with a `default` required. */
function sayDefault(schema: z.core.JSONSchema.BaseSchema): void {
  const { default: value, description } = schema;
  if (value === undefined) return;
  delete schema.default;
  if (value === null) return;
  schema.description = [description?.replace(/\.$/, ''), `Default: \`${JSON.stringify(value)}\``]
    .filter(Boolean)
    .join('. ');
}
