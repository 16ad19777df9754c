import { z } from 'zod';

/**
 * Arguments without those that say nothing: many models send null or an empty text for an optional argument that they
 * leave out. A value stays where the type has it, since null clears there. A tool that writes refuses an empty text, which
 * could be meant.
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
      const members = objectOf(schema);
      return [[name, members === undefined || !isObject(value) ? value : withoutUnset(members, value, { writes })]];
    }),
  );
}

function isUnset(schema: z.ZodType, value: unknown): boolean {
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
