import type { EntityManager } from 'typeorm';

export interface JobKey {
  readonly site_id: string;
  readonly id: string;
}

/** Condition on jobs: all but those of some collections. Empty: all of them. */
export function exceptOf(collections: readonly string[]): string {
  return collections.length === 0 ? '' : `collection not in (${collections.map((name) => `'${name}'`).join(', ')})`;
}

/** Rows of a table of jobs, as their limit and their sweep read them. */
export abstract class JobRows {
  protected constructor(private readonly table: 'exports' | 'imports') {}

  /** Counts the jobs of a site. Creations of a site wait for each other. */
  async count(tx: EntityManager, { site_id }: Pick<JobKey, 'site_id'>): Promise<number> {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${this.table} ${site_id}`]);
    const text = `select count(*)::int as count from ${this.table} where site_id = $1`;
    const [row] = await tx.query<{ count: number }[]>(text, [site_id]);
    return row?.count ?? 0;
  }

  /** Locks a job whose time is over, which no other replica has. */
  async lockExpired(tx: EntityManager): Promise<JobKey | undefined> {
    const [row] = await tx.query<JobKey[]>(
      `select site_id, id from ${this.table} where expires_at <= now() order by site_id limit 1 for update skip locked`,
    );
    return row;
  }
}
