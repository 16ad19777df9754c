import { z } from 'zod';
import { unwrapped } from './unwrapped.js';

const MAX_PAIRS = 100;

type Value = string | number | boolean | null;

/**
 * Returns the schema of a record as an argument of a tool: a list of pairs, because the strict mode of some models has
 * no objects with arbitrary members. The schema of the record checks the keys, the values and their number.
 */
export function pairsOf(record: z.ZodType, { removes }: { readonly removes: boolean }): z.ZodType {
  const kept = valueOf(record);
  const value = removes ? kept.describe('null removes the key') : kept;
  const pairs = z
    .array(z.strictObject({ key: z.string(), value }))
    .max(MAX_PAIRS)
    .refine((list) => new Set(list.map(({ key }) => key)).size === list.length, 'A key occurs twice')
    .transform((list) => Object.fromEntries(list.map((pair) => [pair.key, pair.value])));
  return pairs
    .pipe(record as z.ZodType<unknown, Record<string, Value>>)
    .optional()
    .meta({ description: record.meta()?.description ?? 'Values by key' });
}

/** The values of a record: strings, or numbers and booleans too when it has several types. Null where it has null. */
function valueOf(record: z.ZodType): z.ZodType<Value> {
  const inner = unwrapped(record);
  if (!(inner instanceof z.ZodRecord)) throw new Error('The argument is not a record');
  const { valueType } = inner;
  const value: z.ZodType<Value> =
    unwrapped(valueType) instanceof z.ZodUnion ? z.union([z.string(), z.number(), z.boolean()]) : z.string();
  return z.safeParse(valueType, null).success ? value.nullable() : value;
}
