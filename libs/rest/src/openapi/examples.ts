import type { Json } from './json.js';

type Components = Readonly<Record<string, Json>>;

const PAGE = { next_cursor: null, has_more: false, limit: 20 };

/** Gives summaries and lists the example of the object that they are made of. */
export function withExamples(components: Components): Record<string, Json> {
  const described = Object.entries(components).map(([name, schema]) => {
    const example = exampleOf(components, name);
    return [name, example === undefined ? schema : { ...schema, examples: [example] }];
  });
  return Object.fromEntries(described) as Record<string, Json>;
}

export function exampleOf(components: Components, name: string): Json | undefined {
  const { examples, properties = {} } = (components[name] ?? {}) as { examples?: Json[]; properties?: Json };
  const { data } = properties as { data?: { items: { $ref: string } } };
  if (examples !== undefined) return examples[0];
  if (data !== undefined) return { data: [exampleOf(components, data.items.$ref.split('/').at(-1) ?? '')], page: PAGE };
  const source = /^(.+)Summary$/.exec(name)?.[1];
  const whole = source === undefined ? undefined : exampleOf(components, source);
  if (whole === undefined) return undefined;
  return Object.fromEntries(Object.entries(whole).filter(([field]) => Object.hasOwn(properties, field)));
}
