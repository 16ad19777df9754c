import type { Where } from './keyset.js';
import type { ListQuery } from './list-query.js';

/** The filters of the lists of a resource. */
export interface Listing {
  /** Name of one object in messages, such as `course`. */
  readonly one: string;
  readonly details: readonly string[];
  /** Columns that are filtered by equality, as the parameters are named. */
  readonly filters: readonly string[];
  /** SQL of filters that are not columns. `?` is the value, and `$1` the site. */
  readonly conditions?: Readonly<Record<string, string>>;
  /** Instants that are filtered by comparison. */
  readonly ranges: readonly string[];
  readonly search: { readonly text: string } | undefined;
}

/** Adds the conditions of a list query. */
export function searchable(where: Where, { filters, conditions, ranges, search }: Listing, query: ListQuery): Where {
  for (const filter of filters) where.and(conditions?.[filter] ?? `${filter} = ?`, Reflect.get(query, filter));
  if (search !== undefined) where.words(search.text, Reflect.get(query, 'q') as string | undefined);
  for (const range of ranges) where.range(range, query);
  return where;
}
