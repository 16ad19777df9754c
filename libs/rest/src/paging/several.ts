import { z } from 'zod';

/** A filter by one value or by several. */
export type OneOrMore<T> = T | readonly T[];

/** Returns the schema of a parameter with one value of an enum, or several separated by commas: `state=draft,published`. */
export function severalOf(schema: z.ZodType): z.ZodType {
  const one = schema as z.ZodType<string, string>;
  // Sorted, so that a cursor fits the same values in another order.
  return z
    .string()
    .transform((value) => [...new Set(value.split(','))].toSorted())
    .pipe(z.array(one))
    .transform((values) => (values.length === 1 ? values[0] : values))
    .pipe(z.union([one, z.array(one)]));
}

/** Returns true if a filter has the value. An absent filter has every value. */
export function isAmong<T>(value: T, filter: OneOrMore<T> | undefined): boolean {
  if (filter === undefined) return true;
  return Array.isArray(filter) ? filter.includes(value) : filter === value;
}
