import type { Where } from './keyset.js';
import type { ListQuery } from './list-query.js';

/** How the lists of a resource are filtered. */
export interface Listing {
  /** In sentences: `course`. */
  readonly one: string;
  readonly details: readonly string[];
  /** Columns that are filtered by equality, as the parameters are named. */
  readonly filters: readonly string[];
  /** SQL of filters that are no column: `?` stands for the value, `$1` for the site. */
  readonly conditions?: Readonly<Record<string, string>>;
  /** Instants that are filtered by comparison. */
  readonly ranges: readonly string[];
  readonly search: { readonly text: string } | undefined;
}

/** Adds the conditions that a list query asks for. */
export function searchable(where: Where, { filters, conditions, ranges, search }: Listing, query: ListQuery): Where {
  for (const filter of filters) where.and(conditions?.[filter] ?? `${filter} = ?`, Reflect.get(query, filter));
  if (search !== undefined) where.words(search.text, Reflect.get(query, 'q') as string | undefined);
  for (const range of ranges) where.range(range, query);
  return where;
}
