import { z } from 'zod';
import { multiline } from '../validation/fields.js';

/** Maximum number of keys in one filter. */
const MAX_KEYS = 10;

/** `metadata[cohort]`. The name of a prototype is no key: an object cannot have it. */
const PARAMETER = /^metadata\[(?!__proto__\])([\w.-]{1,40})\]$/;

/** The schema of `metadata[key]=value`, after `gathered`. */
export const metadataFilter = z
  .record(z.string(), multiline(500))
  .refine((value) => Object.keys(value).length <= MAX_KEYS, `At most ${MAX_KEYS} keys`)
  .optional()
  .meta({ description: 'Only objects whose `metadata` has these values: `metadata[cohort]=evening`' });

/** Gathers the parameters `metadata[key]` in the member `metadata`. Sorted, so that a cursor fits any order of them. */
export function gathered(query: object): object {
  const parameters = Object.entries(query);
  const keyed = parameters.flatMap(([name, value]: [string, unknown]) => {
    const [, key] = PARAMETER.exec(name) ?? [];
    return key === undefined ? [] : [[key, value] as const];
  });
  if (keyed.length === 0) return query;
  const others = parameters.filter(([name]) => !PARAMETER.test(name));
  return Object.fromEntries([
    ...others,
    ['metadata', Object.fromEntries(keyed.toSorted(([a], [b]) => (a < b ? -1 : 1)))],
  ]);
}
