import type { DataSource } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

export type RowClass<Row extends object> = new () => Row;

/** How the columns of a table become the properties of an entity: a value object, such as money, has several columns. */
export class RowMapping<Row extends object> {
  readonly table: string;
  readonly #columns: readonly ColumnMetadata[];
  readonly #values: readonly (readonly [property: string, columns: readonly ColumnMetadata[]])[];

  /** @param computed SQL expressions of the table by the property that holds them. */
  constructor(
    dataSource: DataSource,
    entity: RowClass<Row>,
    private readonly computed: Readonly<Record<string, string>>,
  ) {
    const metadata = dataSource.getMetadata(entity);
    this.table = metadata.tableName;
    this.#columns = metadata.columns;
    this.#values = metadata.embeddeds.map(({ propertyName, columns }) => [propertyName, columns]);
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

  /** A row as pg gives it becomes the entity. The row itself is the entity where each property is one column. */
  hydrate(raw: Row): Row {
    if (this.#values.length === 0) return raw;
    const row: Record<string, unknown> = Object.fromEntries(Object.entries(raw));
    for (const [property, columns] of this.#values) {
      if (!columns.some(({ databaseName }) => databaseName in row)) continue;
      const members = columns.map(({ propertyName, databaseName }) => [propertyName, row[databaseName]] as const);
      for (const { databaseName } of columns) delete row[databaseName];
      row[property] = members.every(([, value]) => value === null) ? null : Object.fromEntries(members);
    }
    return row as object as Row;
  }

  /** Values of the entity as TypeORM writes them: null of a value object is null in each of its columns. */
  dehydrate(values: Partial<Row>): Partial<Row> {
    const nulls = this.#values
      .filter(([property]) => Reflect.get(values, property) === null)
      .map(([property, columns]) => [
        property,
        Object.fromEntries(columns.map(({ propertyName }) => [propertyName, null])),
      ]);
    return Object.assign<object, object, object>({}, values, Object.fromEntries(nulls));
  }
}
