import { deleteBatch } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { erasureOrder } from './erasure-order.js';
import type { SiteReference, SiteTable } from './erasure-order.js';
import { LIMITS } from '../connection/limits.js';

/** Tables of the service with the column `site_id`, but for the partitions of others. */
export const SITE_TABLES = `
  select c.relname as name,
         exists (select from pg_index i where i.indrelid = c.oid and i.indkey[0] = a.attnum and i.indpred is null) as indexed
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'site_id' and not a.attisdropped
   where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
   order by c.relname`;
const NAMES_OF = (table: string, keys: string): string => `
  (select array_agg(a.attname::text order by k.place) from unnest(${keys}) with ordinality as k (number, place)
     join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number)`;
const REFERENCES = `
  select child.relname as child, parent.relname as parent, f.confdeltype = 'c' as cascades,
         ${NAMES_OF('f.conrelid', 'f.conkey')} as columns, ${NAMES_OF('f.confrelid', 'f.confkey')} as referenced
    from pg_constraint f join pg_class child on child.oid = f.conrelid join pg_class parent on parent.oid = f.confrelid
   where f.contype = 'f' and f.conparentid = 0 and f.connamespace = current_schema()::regnamespace`;

/** The rows of sites in all tables of a service, as the catalog of PostgreSQL has them. */
@Injectable()
export class SiteRowsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Tables with rows of sites, by name. */
  tables(): Promise<SiteTable[]> {
    return this.dataSource.query(SITE_TABLES);
  }

  /** Deletes the rows of a site from all tables but the kept ones, in batches. Returns their number, less cascades. */
  async erase(siteId: string, keeps: readonly string[], step: () => Promise<boolean>): Promise<number> {
    const tables = (await this.tables()).filter(({ name }) => !keeps.includes(name));
    const references: SiteReference[] = await this.dataSource.query(REFERENCES);
    let deleted = 0;
    for (const table of erasureOrder(tables, references)) {
      const own = references.filter(({ child, parent }) => child === table.name && parent === table.name);
      const batches = table.indexed ? this.#byIndex(table, own, siteId) : this.#byBlocks(table, siteId);
      for await (const rows of batches) {
        deleted += rows;
        if (!(await step())) return deleted;
      }
    }
    return deleted;
  }

  /** Deletes rows that no other row of the same table references. */
  async *#byIndex({ name }: SiteTable, own: readonly SiteReference[], siteId: string): AsyncGenerator<number> {
    const table = quoted(name);
    const unreferenced = own.map(({ columns, referenced }) => {
      const pairs = columns.map((column, at) => `o.${quoted(column)} = t.${quoted(referenced[at] ?? '')}`);
      return ` and not exists (select from ${table} o where ${pairs.join(' and ')})`;
    });
    const batch = { table, where: `t.site_id = $1${unreferenced.join('')}`, limit: LIMITS.siteRows };
    for (let found = 1; found > 0;) {
      const result = await deleteBatch(this.dataSource.manager, batch, [siteId]);
      found = result.found;
      yield result.deleted;
    }
  }

  /** Reads a table without an index in ranges, so that no statement takes longer in a larger table. */
  async *#byBlocks({ name }: SiteTable, siteId: string): AsyncGenerator<number> {
    const [size] = await this.dataSource.query<[{ blocks: number }]>(
      `select (pg_relation_size($1::regclass) / current_setting('block_size')::int)::int as blocks`,
      [quoted(name)],
    );
    const text = `delete from ${quoted(name)} where ctid >= $2::tid and ctid < $3::tid and site_id = $1`;
    for (let from = 0; from <= size.blocks; from += LIMITS.siteBlocks) {
      const range = [`(${from},0)`, `(${from + LIMITS.siteBlocks},0)`];
      const [, rows] = await this.dataSource.query<[unknown, number]>(text, [siteId, ...range]);
      yield rows;
    }
  }
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
