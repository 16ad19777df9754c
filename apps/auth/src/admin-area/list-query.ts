import { isUuid } from '@lyceum/contracts';

/** The query of a list, as an address has it. */
export type ListQuery = Readonly<Record<string, unknown>>;

/** Characters of a search. More than any address. */
const LENGTH = 512;

/** A text of the query. Anything that cannot be one is empty. */
export function queryText(query: ListQuery, name: string): string {
  const value = query[name];
  return typeof value === 'string' && value.length <= LENGTH && !value.includes('\0') ? value.trim() : '';
}

/** One of the known values; undefined for any other. */
export function queryChoice<Value extends string>(
  query: ListQuery,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const given = queryText(query, name);
  return values.find((value) => value === given);
}

/** The id of the last row of the page before; null at the beginning, and for another text. */
export function queryCursor(query: ListQuery, name: string): string | null {
  const given = queryText(query, name).toLowerCase();
  return isUuid(given) ? given : null;
}

/** An address with the values that are not empty. */
export function addressWith(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter((pair): pair is [string, string] => (pair[1] ?? '') !== '');
  const query = new URLSearchParams(given).toString();
  return query === '' ? path : `${path}?${query}`;
}
