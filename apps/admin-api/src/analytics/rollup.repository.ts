import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { ROLLUPS } from './rollup.statements.js';
import type { RollupName } from './rollup.statements.js';

/** A quarter of an hour of a site whose rows have changed since a rollup counted them. */
interface Mark {
  readonly site_id: string;
  readonly rollup: RollupName;
  readonly quarter: Date;
}

/** Taken until the end of a transaction: two replicas could write an older count over a newer one. */
const LOCK = `select pg_try_advisory_xact_lock(hashtextextended('analytics', 0)) as taken`;

const TAKE = `
  with taken as (
    delete from analytics_marks m using (select site_id, marked_at, id from analytics_marks order by id limit $1) next
    where (m.site_id, m.marked_at, m.id) = (next.site_id, next.marked_at, next.id)
    returning m.site_id, m.rollup, m.quarter, m.id)
  select site_id, rollup, quarter, count(*)::int as marks from taken group by site_id, rollup, quarter`;

/** Puts a mark of the quarter of the next mark behind all others, in place of its marks. `as_of` stays before them. */
const POSTPONE = `
  with next as (select site_id, rollup, quarter from analytics_marks order by id limit 1),
  taken as (
    delete from analytics_marks m using next
    where (m.site_id, m.rollup, m.quarter) = (next.site_id, next.rollup, next.quarter)
    returning m.site_id, m.rollup, m.quarter, m.marked_at)
  insert into analytics_marks (site_id, rollup, quarter, marked_at)
  select site_id, rollup, quarter, min(marked_at) from taken group by site_id, rollup, quarter
  returning site_id, rollup, quarter`;

/** Keeps the rollups. Each count reads its rows again, so it also repairs wrong figures. */
@Injectable()
export class RollupRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Marks everything that was ever counted or can be. Returns the number of marks. */
  async markAll(): Promise<number> {
    const [row] = await this.dataSource.query<{ marks: number }[]>('select analytics_mark_all() as marks');
    return row?.marks ?? 0;
  }

  /**
   * Counts what at most `limit` marks name, and deletes these marks. Returns their number. Undefined: another replica
   * counts.
   */
  fold(limit: number): Promise<number | undefined> {
    return this.dataSource.transaction(async (tx) => {
      const [lock] = await tx.query<{ taken: boolean }[]>(LOCK);
      if (lock?.taken !== true) return undefined;
      const taken = await tx.query<(Mark & { readonly marks: number })[]>(TAKE, [limit]);
      for (const [rollup, marks] of Map.groupBy(taken, (mark) => mark.rollup)) await count(tx, rollup, marks);
      return taken.reduce((sum, { marks }) => sum + marks, 0);
    });
  }

  /** Counts the quarter of the next mark after all others. Returns what it postponed. */
  async postpone(): Promise<Mark | undefined> {
    const [postponed] = await this.dataSource.query<Mark[]>(POSTPONE);
    return postponed;
  }
}

/** Each statement sees all changes that had been committed when the marks were taken, and maybe later ones. */
async function count(tx: EntityManager, rollup: RollupName, marks: readonly Mark[]): Promise<void> {
  const values = [marks.map(({ site_id }) => site_id), marks.map(({ quarter }) => quarter)];
  for (const statement of ROLLUPS[rollup]) await tx.query(statement, values);
}

/** SQLSTATE of a statement that PostgreSQL canceled because it took too long. */
const CANCELED = '57014';

export function tookTooLong(error: unknown): boolean {
  return error instanceof QueryFailedError && Reflect.get(error.driverError, 'code') === CANCELED;
}
