import { isObject } from '@lyceum/platform';
import { z } from 'zod';
import { unwrapped } from './unwrapped.js';

/**
 * Removes empty arguments: many models send null or an empty text for an omitted optional argument. A null stays where
 * the type allows it, because it clears the value. For a tool that writes an empty text stays and is rejected, because
 * it could be intended.
 */
export function withoutUnset(
  input: z.ZodObject,
  args: Readonly<Record<string, unknown>>,
  { writes = false }: { readonly writes?: boolean | undefined } = {},
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).flatMap(([name, value]) => {
      const schema: unknown = Object.hasOwn(input.shape, name) ? input.shape[name] : undefined;
      if (!(schema instanceof z.ZodType)) return [[name, value]];
      if ((value === null || (value === '' && !writes)) && isUnset(schema, value)) return [];
      return [[name, withoutUnsetMembers(schema, value, { writes })]];
    }),
  );
}

/** Goes into objects and lists of objects. */
function withoutUnsetMembers(schema: z.ZodType, value: unknown, options: { readonly writes: boolean }): unknown {
  const type = unwrapped(schema);
  if (type instanceof z.ZodObject) return isObject(value) ? withoutUnset(type, value, options) : value;
  if (!(type instanceof z.ZodArray) || !Array.isArray(value)) return value;
  const { element } = type;
  return element instanceof z.ZodType ? value.map((one) => withoutUnsetMembers(element, one, options)) : value;
}

function isUnset(schema: z.ZodType, value: unknown): boolean {
  const accepts = (other: unknown): boolean => schema.safeParse(other).success;
  return accepts(undefined) && !accepts(null) && !accepts(value);
}
