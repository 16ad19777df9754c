import { DataSource } from 'typeorm';
import type { QueryRunner } from 'typeorm';
import { Injectable } from '@nestjs/common';
import type { ReadModelPart } from './read-models.js';

/** Rows that a rebuild wrote and removed. */
export interface Difference {
  readonly written: number;
  readonly removed: number;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Rebuilds a read model in temporary tables of the same names: PostgreSQL resolves those first, so the consumer's own
 * statements fill them within this session.
 */
@Injectable()
export class RebuildRepository {
  readonly #dataSource: DataSource;

  constructor(dataSource: DataSource) {
    this.#dataSource = dataSource;
  }

  /** A dedicated session, locked against other rebuilds of the same read model. */
  async session<T>(model: string, work: (session: QueryRunner) => Promise<T>): Promise<T> {
    const session = this.#dataSource.createQueryRunner();
    try {
      const [lock] = (await session.query('SELECT pg_try_advisory_lock(hashtextextended($1, 1)) AS held', [
        `rebuild ${model}`,
      ])) as { held: boolean }[];
      if (lock?.held !== true) throw new Error(`${model} is being rebuilt already`);
      return await work(session);
    } finally {
      // The connection returns to the pool: no state may remain.
      if (session.isTransactionActive) await session.rollbackTransaction();
      await session.query('DISCARD TEMP');
      await session.query('SELECT pg_advisory_unlock_all()');
      await session.release();
    }
  }

  async schema(session: QueryRunner): Promise<string> {
    const [row] = (await session.query('SELECT current_schema() AS name')) as { name: string }[];
    if (row === undefined) throw new Error('There is no schema');
    return row.name;
  }

  /** The deleted sites, whose events consumers leave out. */
  async deletedSites(session: QueryRunner): Promise<ReadonlySet<string>> {
    const rows = (await session.query('SELECT site_id FROM site_erasures')) as { site_id: string }[];
    return new Set(rows.map(({ site_id }) => site_id));
  }

  async shadow(session: QueryRunner, schema: string, { table }: ReadModelPart): Promise<void> {
    await session.query(`CREATE TEMP TABLE ${quoted(table)} (LIKE ${quoted(schema)}.${quoted(table)} INCLUDING ALL)`);
  }

  /** Analyzes the filled table, so that the comparison is planned well. */
  async measure(session: QueryRunner, { table }: ReadModelPart): Promise<void> {
    await session.query(`ANALYZE pg_temp.${quoted(table)}`);
  }

  /**
   * Blocks writers and `for update`, not readers, until the transaction ends. A consumer that had locked rows before
   * would wait for this lock, and `settle` for its rows.
   */
  async hold(session: QueryRunner, schema: string, parts: readonly ReadModelPart[]): Promise<void> {
    const tables = parts.map(({ table }) => `${quoted(schema)}.${quoted(table)}`);
    await session.query(`LOCK TABLE ${tables.join(', ')} IN EXCLUSIVE MODE`);
  }

  /** Makes the table equal to its shadow; rows that only the table has stay unless `remove`. */
  async settle(session: QueryRunner, schema: string, part: ReadModelPart, remove: boolean): Promise<Difference> {
    const live = `${quoted(schema)}.${quoted(part.table)}`;
    const shadow = `pg_temp.${quoted(part.table)}`;
    const { all, key } = await this.#columns(session, live);
    const own = part.own ?? {};
    const compared = all.filter((column) => !key.includes(column) && !(column in own));
    const list = (columns: readonly string[], of = ''): string =>
      columns.map((one) => `${of}${quoted(one)}`).join(', ');
    const same = key.map((column) => `s.${quoted(column)} = t.${quoted(column)}`).join(' AND ');
    const gone = remove
      ? await this.#count(
          session,
          `DELETE FROM ${live} t WHERE NOT EXISTS (SELECT FROM ${shadow} s WHERE ${same}) RETURNING 1`,
        )
      : 0;
    const values = all.map((column) => own[column] ?? `s.${quoted(column)}`).join(', ');
    // Only differing rows are written: an upsert of every row would block the writers too long. A row of `lockRows`
    // whose state has not arrived replaces none: the stream may have lost the state before.
    const written = await this.#count(
      session,
      `INSERT INTO ${live} (${list(all)}) SELECT ${values} FROM ${shadow} s
       WHERE NOT EXISTS (SELECT FROM ${live} t WHERE ${same} AND (${list(compared, 't.')}) IS NOT DISTINCT FROM (${list(compared, 's.')}))
       ON CONFLICT (${list(key)}) DO UPDATE SET ${compared.map((one) => `${quoted(one)} = excluded.${quoted(one)}`).join(', ')}
       WHERE excluded.epoch > 0
       RETURNING 1`,
    );
    return { written, removed: gone };
  }

  async #columns(session: QueryRunner, table: string): Promise<{ all: string[]; key: string[] }> {
    const rows = (await session.query(
      `SELECT a.attname AS name, a.attnum = ANY (i.indkey) AS key
       FROM pg_attribute a JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
       WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
      [table],
    )) as { name: string; key: boolean }[];
    return { all: rows.map(({ name }) => name), key: rows.filter(({ key }) => key).map(({ name }) => name) };
  }

  async #count(session: QueryRunner, statement: string): Promise<number> {
    const [row] = (await session.query(
      `WITH changed AS (${statement}) SELECT count(*)::int AS count FROM changed`,
    )) as {
      count: number;
    }[];
    return row?.count ?? 0;
  }
}
