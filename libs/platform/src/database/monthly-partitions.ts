import type { DataSource, EntityManager } from 'typeorm';

/** Writers of the table queue behind a lock that a turn waits for, so that wait is short. */
const LOCK_WAIT = '1s';

interface Bounds {
  readonly name: string;
  /** Null: all rows before `to`. */
  readonly from: Date | null;
  readonly to: Date;
}

/** A partition key: an instant, or a UUIDv7, which begins with its instant. */
const KEYS = {
  instant: { at: (value: string) => `${value}::timestamptz`, bound: (at: Date) => at.toISOString() },
  uuidv7: { at: (value: string) => `uuid_extract_timestamp(${value}::uuid)`, bound: smallestUuid },
} as const;

export interface PartitionedTable {
  /** The partition `<name>_default` takes rows of months without a partition. */
  readonly name: string;
  readonly key: { readonly column: string; readonly type: keyof typeof KEYS };
  /** A trigger function that rejects changes: truncating a partition fires no trigger of the table. */
  readonly appendOnly: string;
}

/** The monthly partitions (UTC) of a table. With concurrent replicas one does the work. */
export class MonthlyPartitions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly table: PartitionedTable,
  ) {}

  /** The time of the database: a clock of a replica that is ahead by years would drop every partition. */
  async now(): Promise<Date> {
    const [{ now } = { now: new Date(0) }] = await this.dataSource.query<{ now: Date }[]>('select now() as now');
    return now;
  }

  /** Creates the partitions of the month of `at` and the following `ahead` months. Returns their names. */
  prepare(ahead: number, at: Date): Promise<string[]> {
    const months = Array.from({ length: ahead + 1 }, (_, n) => ({ from: monthOf(at, n), to: monthOf(at, n + 1) }));
    return this.#alone(async (tx) => {
      const isReady =
        (await this.#rowsOfDefault(tx)) === undefined && without(await this.#partitions(tx), months).length === 0;
      if (isReady) return [];
      // A row that is written meanwhile could be in the default partition, which a new partition then cannot divide.
      await tx.query(`lock table only ${this.table.name} in access exclusive mode`);
      const made = await this.#emptyDefault(tx);
      for (const { from, to } of without([...(await this.#partitions(tx)), ...made], months)) {
        const partition = { name: this.#nameOf(from), from, to };
        await tx.query(`create table ${partition.name} partition of ${this.table.name} ${this.#valuesOf(partition)}`);
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
    const rows = await this.#rowsOfDefault(tx);
    if (rows === undefined) return [];
    const { name: table } = this.table;
    const filled = `${table}_default`;
    const from = monthOf(rows.first, 0);
    const partition = { name: this.#nameOf(from), from, to: monthOf(rows.last, 1) };
    await tx.query(`alter table ${table} detach partition ${filled}`);
    await tx.query(`alter table ${filled} rename to ${partition.name}`);
    await tx.query(`alter table ${table} attach partition ${partition.name} ${this.#valuesOf(partition)}`);
    await tx.query(`create table ${filled} partition of ${table} default`);
    await this.#protect(tx, filled);
    return [partition];
  }

  /** The instants of the first and the last row of the default partition. Undefined without rows. */
  async #rowsOfDefault(tx: EntityManager): Promise<{ readonly first: Date; readonly last: Date } | undefined> {
    const { name, key } = this.table;
    const end = (order: string): string =>
      `(select ${KEYS[key.type].at(key.column)} from ${name}_default order by ${key.column} ${order} limit 1)`;
    const [{ first, last } = { first: null, last: null }] = await tx.query<{ first: Date | null; last: Date | null }[]>(
      `select ${end('asc')} as first, ${end('desc')} as last`,
    );
    return first === null || last === null ? undefined : { first, last };
  }

  async #protect(tx: EntityManager, partition: string): Promise<void> {
    await tx.query(
      `create trigger append_only before truncate on ${partition} for each statement execute function ${this.table.appendOnly}()`,
    );
  }

  /** The partitions with an end. */
  async #partitions(tx: EntityManager): Promise<Bounds[]> {
    const { at } = KEYS[this.table.key.type];
    return tx.query<Bounds[]>(
      `select name, ${at('bounds[1]')} as "from", ${at('bounds[2]')} as "to"
         from (select c.relname as name,
                      regexp_match(pg_get_expr(c.relpartbound, c.oid), $$FROM \\((?:'(.+)'|MINVALUE)\\) TO \\('(.+)'\\)$$) as bounds
                 from pg_inherits i join pg_class c on c.oid = i.inhrelid
                where i.inhparent = $1::regclass) partitions
        where bounds is not null order by "to"`,
      [this.table.name],
    );
  }

  #valuesOf({ from, to }: { readonly from: Date; readonly to: Date }): string {
    const { bound } = KEYS[this.table.key.type];
    return `for values from ('${bound(from)}') to ('${bound(to)}')`;
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

/** The months that no partition has. */
function without<M extends { readonly from: Date }>(partitions: readonly Bounds[], months: readonly M[]): M[] {
  return months.filter(
    ({ from }) => !partitions.some((one) => (one.from === null || one.from <= from) && from < one.to),
  );
}

function monthOf(at: Date, later: number): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later, 1));
}

/** The smallest UUIDv7 of an instant (RFC 9562 §5.7). */
function smallestUuid(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
