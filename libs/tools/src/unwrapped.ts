import { z } from 'zod';

/** The schema within an optional or nullable one. */
export function unwrapped(schema: unknown): unknown {
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault;
  return wraps ? unwrapped(schema.def.innerType) : schema;
}
