import { z } from 'zod';
import { instantText, text } from '../validation/fields.js';
import { CURSOR_LENGTH } from '@lyceum/tools';
import { wordsOf } from './search.policy.js';
import { severalOf } from './several.js';

export const DEFAULT_LIMIT = 20;
/** Maximum number of objects in a page. */
export const MAX_LIMIT = 100;

const digits = z.string().regex(/^\d{1,4}$/, `A whole number from 1 to ${MAX_LIMIT}`);
const limit = digits.transform(Number).pipe(z.int().min(1).max(MAX_LIMIT)).default(DEFAULT_LIMIT);

export const flag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .pipe(z.boolean());

/** Returns the schema of a filter in a query string, in which all values are text. A filter by state takes several. */
export function parameterOf(schema: z.ZodType, name = ''): z.ZodType {
  if (name === 'state' && schema instanceof z.ZodEnum) return severalOf(schema);
  if (schema instanceof z.ZodBoolean) return flag;
  if (!(schema instanceof z.ZodNumber)) return schema;
  return z
    .string()
    .regex(/^\d{1,9}$/, 'A whole number')
    .transform(Number)
    .pipe(schema);
}

/** Maximum number of words in a search. Each one adds a condition to the statement. */
const MAX_WORDS = 10;

/** Schema of `q`: up to 10 words in 100 characters. All words must occur, in any case and order. */
export const searchText = text(100).refine((value) => wordsOf(value).length <= MAX_WORDS, `At most ${MAX_WORDS} words`);

/** Comparisons that a list can filter an instant by, with their operators in SQL. */
export const COMPARISONS = { gte: '>=', gt: '>', lte: '<=', lt: '<' } as const;

/** Returns the schemas of comparisons with instants: `created_at[gte]`, `[gt]`, `[lte]`, `[lt]`. */
export function rangeFilters(columns: readonly string[]): Readonly<Record<never, z.ZodType>> {
  const names = columns.flatMap((column) => Object.keys(COMPARISONS).map((comparison) => `${column}[${comparison}]`));
  return Object.fromEntries(names.map((name) => [name, instantText.optional()]));
}

/** SQL of a text, in place of the columns of a list: its rows are `ListedLine`. No parameter of a request names it. */
export const LINE = Symbol('line');

export interface ListedLine {
  readonly id: string;
  readonly line: string | null;
}

/** The parameters that every list has, after parsing. */
export interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly sort: string;
  readonly fields?: readonly string[] | undefined;
  readonly include_total: boolean;
  readonly [LINE]?: string | undefined;
}

/** Returns the schema of `fields=id,name`, which selects fields of each object. */
export function fieldsParameter<const Name extends string>(names: readonly [Name, ...Name[]]) {
  return z
    .string()
    .transform((value) => value.split(','))
    .pipe(z.array(z.enum(names)).min(1).max(names.length))
    .optional()
    .meta({
      description:
        'Only these fields, separated by commas: the response lacks the others, also those that its schema requires',
    });
}

/**
 * Returns the schema of the parameters of a list. Unknown parameters are refused, because an ignored filter would
 * return too many rows.
 */
export function listQuery<
  const Sort extends string,
  const Field extends string,
  Filters extends Readonly<Record<string, z.ZodType>>,
>(options: { sorts: readonly [Sort, ...Sort[]]; fields: readonly [Field, ...Field[]]; filters: Filters }) {
  return z.strictObject({
    limit: limit.meta({ description: 'Maximum number of objects' }),
    cursor: z.string().max(CURSOR_LENGTH).optional().meta({ description: '`page.next_cursor` of the previous page' }),
    sort: z.enum(options.sorts).default(options.sorts[0]).meta({ description: '`-` reverses the order' }),
    fields: fieldsParameter(options.fields),
    include_total: flag.default(false).meta({ description: 'Adds `page.total_count`, which counts the whole list' }),
    ...options.filters,
  });
}

/** Keeps the members that were asked for. */
export function project<T extends object>(object: T, fields: readonly string[] | undefined): Partial<T> {
  if (fields === undefined) return object;
  const wanted = new Set(fields);
  return Object.fromEntries(Object.entries(object).filter(([name]) => wanted.has(name))) as Partial<T>;
}
