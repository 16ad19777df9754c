import type { Json } from './json.js';

type Components = Readonly<Record<string, Json>>;

/**
 * Adds to each union of components the member whose value distinguishes them (OpenAPI 3.1.1 §4.8.25), so that generated
 * clients read an object by its component.
 */
export function withDiscriminators(components: Components): Record<string, Json> {
  const described = Object.entries(components).map(([name, schema]) => {
    const discriminator = discriminatorOf(schema, components);
    return [name, discriminator === undefined ? schema : { ...schema, discriminator }];
  });
  return Object.fromEntries(described) as Record<string, Json>;
}

function discriminatorOf({ oneOf, anyOf }: Json, components: Components): Json | undefined {
  const union = (oneOf ?? anyOf ?? []) as readonly Json[];
  const references = union.map(({ $ref }) => $ref).filter((reference) => typeof reference === 'string');
  if (references.length < 2 || references.length < union.length) return undefined;
  const branches = references.map((reference) => ({
    reference,
    schema: components[reference.split('/').at(-1) ?? ''] ?? {},
  }));
  for (const propertyName of requiredOf(branches[0]?.schema ?? {})) {
    const named = branches.map(({ reference, schema }) => ({ reference, values: valuesOf(schema, propertyName) }));
    const pairs = named.flatMap(({ reference, values }) => values.map((value) => [value, reference] as const));
    const mapping = Object.fromEntries(pairs);
    const isDisjoint = pairs.length === Object.keys(mapping).length;
    if (isDisjoint && named.every(({ values }) => values.length > 0)) return { propertyName, mapping };
  }
  return undefined;
}

const requiredOf = ({ required = [] }: Json): readonly string[] => required as readonly string[];

/** The texts that a required member can be. None: any other value is possible, or the member can be missing. */
function valuesOf(schema: Json, name: string): readonly string[] {
  if (!requiredOf(schema).includes(name)) return [];
  const { properties = {} } = schema as { properties?: Readonly<Record<string, Json>> };
  const { enum: values, const: only } = properties[name] ?? {};
  const all = Array.isArray(values) ? (values as unknown[]) : [only];
  return all.every((value) => typeof value === 'string') ? all : [];
}
