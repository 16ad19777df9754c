interface Queries {
  query(text: string): Promise<unknown>;
}

interface Migration {
  /** False: each statement is a transaction of its own. */
  readonly transaction?: boolean;
  up(runner: Queries): Promise<unknown>;
  down(runner: Queries): Promise<unknown>;
}

type MigrationClass = new () => Migration;

/** Definitions of the schema by kind and name. Positions of columns are left out: they depend on the history. */
export type Catalog = Readonly<Record<string, string>>;

const CATALOG = `
  with own as (
    select c.oid, c.relname, c.relkind from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  )
  select 'table ' || relname as name, relkind::text as definition from own where relkind in ('r', 'p', 'v', 'm', 'S')
  union all
  select 'column ' || own.relname || '.' || a.attname,
         concat_ws(' ', format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
                   pg_get_expr(d.adbin, d.adrelid))
  from own join pg_attribute a on a.attrelid = own.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where own.relkind in ('r', 'p')
  union all
  select 'index ' || own.relname, pg_get_indexdef(own.oid) from own where relkind in ('i', 'I')
  union all
  select 'constraint ' || own.relname || '.' || k.conname, pg_get_constraintdef(k.oid)
  from own join pg_constraint k on k.conrelid = own.oid
  union all
  select 'trigger ' || own.relname || '.' || t.tgname, pg_get_triggerdef(t.oid)
  from own join pg_trigger t on t.tgrelid = own.oid where not t.tgisinternal
  union all
  select 'function ' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')', p.prosrc
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`;

const TABLES = `select relname as name from pg_class where relnamespace = 'public'::regnamespace`;

/** Tables of which the transaction holds a lock that a statement which writes rows waits for, or that it writes to. */
const LOCKED = `
  select distinct c.relname as name from pg_locks l
    join pg_class c on c.oid = l.relation and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
  where l.pid = pg_backend_pid() and l.mode not in ('AccessShareLock', 'RowShareLock')
  order by c.relname`;

/** The migrations of a service on an empty database, one by one in the order of production. */
export class MigrationHistory {
  readonly #steps: readonly MigrationClass[];
  #done = 0;
  readonly #lockedTogether: Record<string, readonly string[]> = {};

  constructor(
    private readonly runner: Queries,
    migrations: readonly Function[],
  ) {
    const timestamp = ({ name }: Function): number => Number(name.slice(-13));
    this.#steps = (migrations as readonly MigrationClass[]).toSorted((a, b) => timestamp(a) - timestamp(b));
  }

  /** Runs the steps up to the migration, and without one all. */
  async up(last?: Function): Promise<void> {
    const end = last === undefined ? this.#steps.length : this.#indexOf(last) + 1;
    for (; this.#done < end; this.#done += 1) await this.#run(this.#done, 'up');
  }

  /** Undoes the steps down to the migration, that one included, and without one all. */
  async down(last?: Function): Promise<void> {
    const end = last === undefined ? 0 : this.#indexOf(last);
    for (; this.#done > end; this.#done -= 1) await this.#run(this.#done - 1, 'down');
  }

  /** Runs the steps before the migration. */
  async before(migration: Function): Promise<void> {
    const previous = this.#steps[this.#indexOf(migration) - 1];
    if (previous !== undefined) await this.up(previous);
  }

  /** Runs all steps on the empty database, undoes them, and runs them again. Returns the catalog after each part. */
  async roundTrip(): Promise<Readonly<Record<'empty' | 'up' | 'down' | 'again', Catalog>>> {
    const empty = await this.catalog();
    await this.up();
    const up = await this.catalog();
    await this.down();
    const down = await this.catalog();
    await this.up();
    return { empty, up, down, again: await this.catalog() };
  }

  /**
   * Tables by the migration that locked them in one transaction, where it locked several that stood before it. Requests
   * lock the same tables in their own order, so such a migration can wait in a circle with one.
   */
  get lockedTogether(): Readonly<Record<string, readonly string[]>> {
    return this.#lockedTogether;
  }

  async catalog(): Promise<Catalog> {
    const rows = (await this.runner.query(CATALOG)) as { name: string; definition: string }[];
    return Object.fromEntries(rows.map(({ name, definition }) => [name, definition]));
  }

  #indexOf(migration: Function): number {
    const index = this.#steps.findIndex((step) => step === migration);
    if (index < 0) throw new Error(`${migration.name} is not a migration of this service`);
    return index;
  }

  /** In one transaction or one for each statement, as `migrateDatabase` runs it. */
  async #run(index: number, direction: 'up' | 'down'): Promise<void> {
    const Step = this.#steps[index];
    if (Step === undefined) throw new Error('The history has no such step');
    const step = new Step();
    const inTransaction = (work: () => Promise<unknown>): Promise<void> =>
      this.#transaction(work, (tables) => {
        if (direction === 'up' && tables.length > 1) this.#lockedTogether[Step.name] = tables;
      });
    try {
      if (step.transaction !== false) await inTransaction(() => step[direction](this.runner));
      else await step[direction]({ query: (text) => inTransaction(() => this.runner.query(text)) });
    } catch (error) {
      throw new Error(`${direction} of ${Step.name} failed: ${String(error)}`, { cause: error });
    }
  }

  /** @param locked gets the tables from before the transaction that it locks at its end */
  async #transaction(work: () => Promise<unknown>, locked: (tables: readonly string[]) => void): Promise<void> {
    const names = async (text: string): Promise<string[]> =>
      ((await this.runner.query(text)) as { name: string }[]).map(({ name }) => name);
    const before = new Set(await names(TABLES));
    await this.runner.query('begin');
    try {
      await work();
      locked((await names(LOCKED)).filter((name) => before.has(name)));
      await this.runner.query('commit');
    } catch (error) {
      await this.runner.query('rollback');
      throw error;
    }
  }
}
