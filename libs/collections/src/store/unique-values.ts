import { keyOf } from './row-values.js';
import type { SiteRow } from './site-row.js';
import type { Others, RowChange, StoreDeclaration, Within } from './store-declaration.js';

type Unique = StoreDeclaration<never, never>['unique'];

/** Finds the rows that have the unique values of a change, by the constraint. */
export async function othersOf<Row>(
  unique: Unique,
  { row, changes }: RowChange<Row>,
  find: (key: Within<Row>) => Promise<Row | undefined>,
): Promise<Others<Row>> {
  const others = new Map<string, Row>();
  for (const [constraint, names] of Object.entries(unique ?? {})) {
    const key = [names].flat().some((name) => name in changes) && keyOf<Row>(names, Object.assign({}, row, changes));
    const other = key && (await find(key));
    if (other) others.set(constraint, other);
  }
  return others;
}

/** Returns true if a row takes a unique value that another row of the list has: their order counts then. */
export function hasSuccessor<Row extends SiteRow>(unique: Unique, list: readonly RowChange<Row>[]): boolean {
  return Object.values(unique ?? {}).some((names) => {
    const textOf = (values: object): string | undefined => JSON.stringify(keyOf<Row>(names, values));
    const holders = new Map(list.map(({ row }) => [textOf(row), row.id]));
    return list.some(({ row, changes }) => {
      const text = textOf(Object.assign({}, row, changes));
      return text !== undefined && (holders.get(text) ?? row.id) !== row.id;
    });
  });
}
