import type { DataSource } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { isObject } from '../values/is-object.js';
import { preparedStatement } from './sql.js';
import type { PreparedStatement } from './sql.js';

export type RowClass<Row extends object> = new () => Row;

/** Maps the columns of a table to the properties of an entity: a value object, such as money, has several columns. */
export class RowMapping<Row extends object> {
  readonly table: string;
  /**
   * A column of statements that lock their row. Values that such a statement computes have the state from before the
   * wait for the lock: `stale` says that the row changed during the wait, so another statement must read them.
   */
  readonly stale: string;
  readonly #columns: readonly ColumnMetadata[];
  readonly #values: readonly (readonly [property: string, columns: readonly ColumnMetadata[]])[];

  /** @param computed SQL expressions of the table by property. */
  constructor(
    private readonly dataSource: DataSource,
    entity: RowClass<Row>,
    private readonly computed: Readonly<Record<string, string>>,
  ) {
    const metadata = dataSource.getMetadata(entity);
    this.table = metadata.tableName;
    this.#columns = metadata.columns;
    const same = metadata.primaryColumns.map(({ databaseName: key }) => `before.${key} = ${this.table}.${key}`);
    const version = `(select before.xmin from ${this.table} before where ${same.join(' and ')})`;
    this.stale = `${version} <> ${this.table}.xmin as stale`;
    this.#values = metadata.embeddeds.map(({ propertyName, columns }) => [propertyName, columns]);
  }

  /** The names of the columns of the table. */
  get columns(): readonly string[] {
    return this.#columns.map(({ databaseName }) => databaseName);
  }

  /** The select list without the columns of `omitted` properties. */
  select(omitted: readonly string[] = []): string {
    const kept = ([property = '']: readonly string[]): boolean => !omitted.includes(property);
    const columns = this.#columns.filter(({ propertyPath }) => kept(propertyPath.split('.')));
    const computed = Object.entries(this.computed).filter(([property]) => kept([property]));
    return [
      ...columns.map(({ databaseName }) => databaseName),
      ...computed.map(([property, sql]) => `${sql} as ${property}`),
    ].join(', ');
  }

  /**
   * Makes the row of pg the entity, which it is where each property is one column. The columns of a value object stay
   * on it: a copy without them costs more than reading the row.
   */
  hydrate(raw: Row): Row {
    const row = raw as Record<string, unknown>;
    for (const [property, members] of this.#values) {
      if (members.some(({ databaseName }) => databaseName in row)) row[property] = valueObject(members, row);
    }
    return raw;
  }

  /** Inserts a row. Properties without a value get the default of their column. */
  insertion(values: Partial<Row>, returning: string, conflict: '' | 'on conflict do nothing' = ''): PreparedStatement {
    const assigned = this.#assigned(values);
    const names = assigned.map(([{ databaseName }]) => databaseName).join(', ');
    const places = assigned.map((_, index) => `$${index + 1}`).join(', ');
    return preparedStatement(
      this.table,
      `insert into ${this.table} (${names}) values (${places}) ${conflict} returning ${returning}`,
      this.#persistent(assigned),
    );
  }

  /**
   * Inserts rows that have the same properties, and leaves out those that a constraint refuses. A property without a
   * value in one of them is null.
   */
  insertionOfAll(list: readonly Partial<Row>[], returning: string): PreparedStatement {
    const assigned = list.map((values) => this.#assigned(values));
    const names = [...new Set(assigned.flatMap((row) => row.map(([{ databaseName }]) => databaseName)))].join(', ');
    const text = `insert into ${this.table} (${names}) select ${names}
      from jsonb_populate_recordset(null::${this.table}, $1::jsonb) on conflict do nothing returning ${returning}`;
    return preparedStatement(this.table, text, [JSON.stringify(assigned.map(columnsOf))]);
  }

  /** Updates the row with the key. */
  update(key: Partial<Row>, values: Partial<Row>, returning: string): PreparedStatement {
    const keys = this.#assigned(key);
    const assigned = this.#assigned(values);
    const named = [...keys, ...assigned].map(([{ databaseName }], index) => `${databaseName} = $${index + 1}`);
    const [where, set] = [named.slice(0, keys.length).join(' and '), named.slice(keys.length).join(', ')];
    return preparedStatement(
      this.table,
      `update ${this.table} set ${set} where ${where} returning ${returning}`,
      this.#persistent([...keys, ...assigned]),
    );
  }

  /**
   * Updates rows, which have the same properties, by the primary key of each. A property without a value in one of them
   * is null.
   */
  updateOfAll(list: readonly Partial<Row>[], returning: string): PreparedStatement {
    const assigned = list.map((values) => this.#assigned(values));
    const columns = new Set(assigned.flatMap((row) => row.map(([column]) => column)));
    const names = [...columns].map(({ databaseName }) => databaseName);
    const set = [...columns].flatMap(({ isPrimary, databaseName: name }) =>
      isPrimary ? [] : [`${name} = new_${name}`],
    );
    const keys = [...columns].flatMap(({ isPrimary, databaseName: name }) =>
      isPrimary ? [`${this.table}.${name} = new_${name}`] : [],
    );
    // Other names than those of the table, so that `returning` means the table.
    const text = `update ${this.table} set ${set.join(', ')}
      from (select ${names.map((name) => `${name} as new_${name}`).join(', ')}
        from jsonb_populate_recordset(null::${this.table}, $1::jsonb)) changed
      where ${keys.join(' and ')} returning ${returning}`;
    return preparedStatement(this.table, text, [JSON.stringify(assigned.map(columnsOf))]);
  }

  /** Columns of the given properties. Null for a value object is null in each of its columns. */
  #assigned(values: Partial<Row>): Assigned[] {
    return this.#columns.flatMap((column): Assigned[] => {
      const value = column.propertyPath
        .split('.')
        .reduce<unknown>((of, name) => (isObject(of) ? of[name] : of), values);
      return value === undefined ? [] : [[column, value]];
    });
  }

  #persistent(assigned: readonly Assigned[]): unknown[] {
    const { driver } = this.dataSource;
    return assigned.map(([column, value]): unknown => driver.preparePersistentValue(value, column));
  }
}

type Assigned = readonly [column: ColumnMetadata, value: unknown];

function columnsOf(row: readonly Assigned[]): object {
  return Object.fromEntries(row.map(([{ databaseName }, value]) => [databaseName, value]));
}

/** Null when all of its columns are null. */
function valueObject(members: readonly ColumnMetadata[], columns: Readonly<Record<string, unknown>>): object | null {
  const value: Record<string, unknown> = {};
  let empty = true;
  for (const { propertyName, databaseName } of members) {
    value[propertyName] = columns[databaseName];
    empty &&= columns[databaseName] === null;
  }
  return empty ? null : value;
}
