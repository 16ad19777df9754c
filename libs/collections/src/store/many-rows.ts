import { preparedQuery } from '@lyceum/platform';
import type { RowMapping } from '@lyceum/platform';
import type { Where } from '@lyceum/rest';
import type { EntityManager } from 'typeorm';
import { editOf, keyOf } from './row-values.js';
import type { SiteRow } from './site-row.js';
import type { RowChange, StoreDeclaration } from './store-declaration.js';

/** The table, as a statement for many of its rows sees it. */
interface Table<Row extends SiteRow> {
  readonly rows: RowMapping<Row>;
  readonly select: string;
  readonly unique: StoreDeclaration<Row, never>['unique'];
}

/** The member whose value another row has. The id is undefined for a row behind the fence. */
interface Taken {
  readonly member: string;
  readonly id: string | undefined;
}

/** Inserts rows with one statement. Returns the new rows by id, and why the others were left out. */
export async function insertMany<Row extends SiteRow>(
  tx: EntityManager,
  table: Table<Row>,
  list: readonly Partial<Row>[],
  caller: Where,
): Promise<{ readonly made: ReadonlyMap<string, Row>; readonly taken: ReadonlyMap<Partial<Row>, Taken> }> {
  if (list.length === 0) return { made: new Map(), taken: new Map() };
  const { rows, select } = table;
  const statement = rows.insertionOfAll(list, select);
  const inserted = await preparedQuery<Row>(tx, statement, statement.values);
  const made = new Map(inserted.map((row) => [row.id, rows.hydrate(row)]));
  const refused = list.filter(({ id = '' }) => !made.has(id));
  return { made, taken: await findTaken(tx, table, refused, caller) };
}

/** Writes the next version of locked rows with one statement. Returns them by id. */
export async function updateMany<Row extends SiteRow>(
  tx: EntityManager,
  { rows, select }: Pick<Table<Row>, 'rows' | 'select'>,
  list: readonly RowChange<Row>[],
): Promise<ReadonlyMap<string, Row>> {
  if (list.length === 0) return new Map();
  const names = [...new Set(list.flatMap(({ changes }) => Object.keys(changes)))];
  const next = list.map(({ row, changes }) => {
    const kept = Object.fromEntries(names.map((name): [string, unknown] => [name, Reflect.get(row, name)]));
    const { site_id, id, version } = row;
    return { ...kept, ...changes, ...editOf(row, false), site_id, id, version: version + 1 };
  });
  const statement = rows.updateOfAll(next, select);
  const written = await preparedQuery<Row>(tx, statement, statement.values);
  return new Map(written.map((row) => [row.id, rows.hydrate(row)]));
}

/** Finds the rows of the site that have unique values of a list, with one statement for each unique key. */
async function findTaken<Row extends SiteRow>(
  tx: EntityManager,
  { rows: { table }, unique = {} }: Table<Row>,
  list: readonly Partial<Row>[],
  caller: Where,
): Promise<ReadonlyMap<Partial<Row>, Taken>> {
  const taken = new Map<Partial<Row>, Taken>();
  if (list.length === 0) return taken;
  for (const key of Object.values(unique)) {
    const names = [key].flat();
    const named = list.flatMap((values) => keyOf<Row>(key, values) ?? []);
    const found = await tx.query<(Row & { readonly seen: boolean | null })[]>(
      `select id, ${names.join(', ')}, ${caller.text} as seen from ${table} where site_id = $1 and (${names.join(', ')}) in
         (select ${names.join(', ')} from jsonb_populate_recordset(null::${table}, $${caller.values.length + 1}::jsonb))`,
      [...caller.values, JSON.stringify(named)],
    );
    const holders = new Map(found.map((row) => [textOf(keyOf(key, row)), row]));
    for (const values of list) {
      const holder = holders.get(textOf(keyOf(key, values)));
      if (holder === undefined || taken.has(values)) continue;
      taken.set(values, { member: names.at(-1) ?? '', id: holder.seen === true ? holder.id : undefined });
    }
  }
  // A row that was in the way and is gone: its member is not known.
  const member = [Object.values(unique)[0] ?? ''].flat().at(-1) ?? '';
  for (const values of list) if (!taken.has(values)) taken.set(values, { member, id: undefined });
  return taken;
}

const textOf = (key: object | undefined): string => (key === undefined ? '' : JSON.stringify(key));
