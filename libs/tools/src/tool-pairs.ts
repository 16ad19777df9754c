import { z } from 'zod';

const MAX_PAIRS = 100;

/**
 * Returns the schema of a record as an argument of a tool: a list of pairs, because the strict mode of some models has
 * no objects with arbitrary members. The schema of the record checks the keys, the values and their number.
 */
export function pairsOf(record: z.ZodType, { removes }: { readonly removes: boolean }): z.ZodType {
  const value = removes ? z.string().nullable().describe('null removes the key') : z.string();
  const pairs = z
    .array(z.strictObject({ key: z.string(), value }))
    .max(MAX_PAIRS)
    .refine((list) => new Set(list.map(({ key }) => key)).size === list.length, 'A key stands twice')
    .transform((list) => Object.fromEntries(list.map((pair) => [pair.key, pair.value])));
  return pairs
    .pipe(record as z.ZodType<unknown, Record<string, string | null>>)
    .optional()
    .meta({ description: record.meta()?.description ?? 'Values by key' });
}
