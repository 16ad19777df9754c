import type { Where } from './keyset.js';
import type { ListQuery } from './list-query.js';

/** SQL of a filter, in which `?` is the value and `$1` the site, or the SQL of each value that the filter can have. */
export type Condition = string | Readonly<Record<string, string>>;

/** The filters of the lists of a resource. */
export interface Listing {
  /** Name of one object in messages, such as `course`. */
  readonly one: string;
  readonly details: readonly string[];
  /** Columns that are filtered by equality, as the parameters are named. */
  readonly filters: readonly string[];
  /** Filters that are not columns. */
  readonly conditions?: Readonly<Record<string, Condition>>;
  /** Instants that are filtered by comparison. */
  readonly ranges: readonly string[];
  readonly search: { readonly text: string } | undefined;
}

/** SQL of filters that mean the same in each list. The indexes leave out rows without tags or metadata. */
const COMMON: Readonly<Record<string, string>> = { tag: `tags <> '{}' and tags @> array[?::text]` };
const METADATA = `metadata <> '{}' and metadata @> ?::jsonb`;

/** Adds the conditions of a list query. */
export function searchable(where: Where, { filters, conditions, ranges, search }: Listing, query: ListQuery): Where {
  for (const filter of filters) {
    const value: unknown = Reflect.get(query, filter);
    if (Array.isArray(value)) where.anyOf(filter, value);
    else addTo(where, conditions?.[filter] ?? COMMON[filter] ?? `${filter} = ?`, value);
  }
  where.and(METADATA, Reflect.get(query, 'metadata'));
  if (search !== undefined) where.words(search.text, Reflect.get(query, 'q') as string | undefined);
  for (const range of ranges) where.range(range, query);
  return where;
}

/** A partial index serves a statement only if its text has the value. */
function addTo(where: Where, condition: Condition, value: unknown): void {
  if (typeof condition === 'string') where.and(condition, value);
  else if (value !== undefined) {
    const sql = typeof value === 'string' ? condition[value] : undefined;
    if (sql === undefined) throw new Error('A filter has no condition for its value');
    where.also(sql);
  }
}
