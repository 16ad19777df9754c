import { z } from 'zod';

/**
 * Arguments without those that say nothing: many models send null or an empty text for an optional argument that they
 * leave out. Null stays where the type has it, since it clears a value there; so does an empty text.
 */
export function withoutUnset(input: z.ZodObject, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).flatMap(([name, value]) => {
      const schema: unknown = Object.hasOwn(input.shape, name) ? input.shape[name] : undefined;
      if (!(schema instanceof z.ZodType)) return [[name, value]];
      if (isUnset(schema, value)) return [];
      const members = objectOf(schema);
      return [[name, members === undefined || !isObject(value) ? value : withoutUnset(members, value)]];
    }),
  );
}

function isUnset(schema: z.ZodType, value: unknown): boolean {
  if (value !== null && value !== '') return false;
  const accepts = (other: unknown): boolean => schema.safeParse(other).success;
  return accepts(undefined) && !accepts(null) && !accepts(value);
}

/** The object that an optional or nullable argument holds. */
function objectOf(schema: z.ZodType): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema;
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault;
  return wraps && schema.def.innerType instanceof z.ZodType ? objectOf(schema.def.innerType) : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
