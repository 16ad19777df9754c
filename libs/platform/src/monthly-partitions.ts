import type { DataSource, EntityManager } from 'typeorm';

/** Writers of the table queue behind a lock that a turn waits for, so that wait is short. */
const LOCK_WAIT = '1s';

interface Bounds {
  readonly name: string;
  readonly from: Date;
  readonly to: Date;
}

export interface PartitionedTable {
  /** The partition key is `created_at`. The partition `<name>_default` takes rows of months without a partition. */
  readonly name: string;
  /** A trigger function that rejects changes: truncating a partition fires no trigger of the table. */
  readonly appendOnly: string;
}

/** The monthly partitions (UTC) of a table. With concurrent replicas one does the work. */
export class MonthlyPartitions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly table: PartitionedTable,
  ) {}

  /** Creates the partitions of the month of `at` and the following `ahead` months. Returns their names. */
  prepare(ahead: number, at: Date): Promise<string[]> {
    return this.#alone(async (tx) => {
      const made = await this.#emptyDefault(tx);
      const known = [...(await this.#partitions(tx)), ...made];
      for (let n = 0; n <= ahead; n += 1) {
        const from = monthOf(at, n);
        if (known.some((one) => one.from <= from && from < one.to)) continue;
        const partition = { name: this.#nameOf(from), from, to: monthOf(at, n + 1) };
        await tx.query(`create table ${partition.name} partition of ${this.table.name} ${valuesOf(partition)}`);
        await this.#protect(tx, partition.name);
        made.push(partition);
      }
      return made.map(({ name }) => name);
    });
  }

  /** Drops the partitions whose rows are all older. Returns their names. */
  expire(before: Date): Promise<string[]> {
    return this.#alone(async (tx) => {
      const expired = (await this.#partitions(tx)).filter(({ to }) => to <= before);
      for (const { name } of expired) await tx.query(`drop table ${name}`);
      return expired.map(({ name }) => name);
    });
  }

  /** Turns a default partition with rows into the partition of their months, without moving rows. */
  async #emptyDefault(tx: EntityManager): Promise<Bounds[]> {
    const { name: table } = this.table;
    const filled = `${table}_default`;
    const [{ first, last } = { first: null, last: null }] = await tx.query<{ first: Date | null; last: Date | null }[]>(
      `select min(created_at) as first, max(created_at) as last from ${filled}`,
    );
    if (first === null || last === null) return [];
    const from = monthOf(first, 0);
    const partition = { name: this.#nameOf(from), from, to: monthOf(last, 1) };
    await tx.query(`alter table ${table} detach partition ${filled}`);
    await tx.query(`alter table ${filled} rename to ${partition.name}`);
    await tx.query(`alter table ${table} attach partition ${partition.name} ${valuesOf(partition)}`);
    await tx.query(`create table ${filled} partition of ${table} default`);
    await this.#protect(tx, filled);
    return [partition];
  }

  async #protect(tx: EntityManager, partition: string): Promise<void> {
    await tx.query(
      `create trigger append_only before truncate on ${partition} for each statement execute function ${this.table.appendOnly}()`,
    );
  }

  /** The partitions with bounds. */
  async #partitions(tx: EntityManager): Promise<Bounds[]> {
    return tx.query<Bounds[]>(
      `select name, bounds[1]::timestamptz as "from", bounds[2]::timestamptz as "to"
         from (select c.relname as name,
                      regexp_match(pg_get_expr(c.relpartbound, c.oid), $$FROM \\('(.+)'\\) TO \\('(.+)'\\)$$) as bounds
                 from pg_inherits i join pg_class c on c.oid = i.inhrelid
                where i.inhparent = $1::regclass) partitions
        where bounds is not null order by 2`,
      [this.table.name],
    );
  }

  #nameOf(month: Date): string {
    return `${this.table.name}_${month.toISOString().slice(0, 7).replace('-', '_')}`;
  }

  #alone(work: (tx: EntityManager) => Promise<string[]>): Promise<string[]> {
    return this.dataSource.transaction(async (tx) => {
      await tx.query(`select set_config('lock_timeout', $1, true)`, [LOCK_WAIT]);
      const [lock] = await tx.query<{ held: boolean }[]>(
        `select pg_try_advisory_xact_lock(hashtextextended('partitions of ' || $1, 0)) as held`,
        [this.table.name],
      );
      return lock?.held === true ? work(tx) : [];
    });
  }
}

function monthOf(at: Date, later: number): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later, 1));
}

function valuesOf({ from, to }: Bounds): string {
  return `for values from ('${from.toISOString()}') to ('${to.toISOString()}')`;
}
