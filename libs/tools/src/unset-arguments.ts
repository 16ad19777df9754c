import { z } from 'zod';

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
      const members = objectOf(schema);
      return [[name, members === undefined || !isObject(value) ? value : withoutUnset(members, value, { writes })]];
    }),
  );
}

function isUnset(schema: z.ZodType, value: unknown): boolean {
  const accepts = (other: unknown): boolean => schema.safeParse(other).success;
  return accepts(undefined) && !accepts(null) && !accepts(value);
}

/** The object schema within an optional or nullable argument. */
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
