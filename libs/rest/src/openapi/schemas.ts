import { z } from 'zod';
import { withExamples } from './examples.js';
import type { Json } from './json.js';
import { partialList, partialObject } from './partial.js';
import type { Written } from './partial.js';

export type { Json } from './json.js';

/** Zod schemas as JSON Schema 2020-12, which is what OpenAPI 3.1 speaks. Those with an `id` become components. */
export class Schemas {
  readonly #components = new Map<string, Json>();

  constructor(private readonly written: Written) {}

  /** A schema of a body, or a reference to its component. */
  reference(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $schema: _schema, $defs: definitions = {}, ...root } = convert(schema, io);
    for (const [id, definition] of Object.entries(definitions as Record<string, Json>)) this.#add(id, definition);
    if (typeof root['id'] !== 'string') return root;
    return this.#add(root['id'], root);
  }

  /** A reference to the schema of some members of a component. */
  partial({ $ref: reference }: Json): Json {
    const name = String(reference).split('/').at(-1) ?? '';
    const whole = this.#components.get(name);
    if (whole === undefined) throw new Error(`${name} is not a component`);
    const { data } = whole['properties'] as { data?: { items: Json } };
    const schema =
      data === undefined
        ? partialObject(name, whole, this.written)
        : partialList(name, whole, this.partial(data.items));
    return this.#add(`Partial${name}`, schema);
  }

  /** Sorts by name, so that the document does not depend on the order of routes. */
  get components(): Json {
    return withExamples(Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1))));
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
      // Answers may grow: a client that refuses what it does not know would break then.
      if (io === 'output') delete jsonSchema.additionalProperties;
      else sayDefault(jsonSchema);
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
  schema.description = [description, `Default: \`${JSON.stringify(value)}\``].filter(Boolean).join('. ');
}
