interface Queries {
  query(text: string): Promise<unknown>;
}

interface Migration<Runner> {
  up(runner: Runner): Promise<unknown>;
  down(runner: Runner): Promise<unknown>;
}

type MigrationClass<Runner> = new () => Migration<Runner>;

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

/** The migrations of a service on an empty database, one by one in the order of production. */
export class MigrationHistory<Runner extends Queries> {
  readonly #steps: readonly MigrationClass<Runner>[];
  #done = 0;

  constructor(
    private readonly runner: Runner,
    migrations: readonly Function[],
  ) {
    const timestamp = ({ name }: Function): number => Number(name.slice(-13));
    this.#steps = (migrations as readonly MigrationClass<Runner>[]).toSorted((a, b) => timestamp(a) - timestamp(b));
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

  async catalog(): Promise<Catalog> {
    const rows = (await this.runner.query(CATALOG)) as { name: string; definition: string }[];
    return Object.fromEntries(rows.map(({ name, definition }) => [name, definition]));
  }

  #indexOf(migration: Function): number {
    const index = this.#steps.findIndex((step) => step === migration);
    if (index < 0) throw new Error(`${migration.name} is not a migration of this service`);
    return index;
  }

  /** In one transaction, as `migrateDatabase` runs it. */
  async #run(index: number, direction: 'up' | 'down'): Promise<void> {
    const Step = this.#steps[index];
    if (Step === undefined) throw new Error('The history has no such step');
    await this.runner.query('begin');
    try {
      await new Step()[direction](this.runner);
      await this.runner.query('commit');
    } catch (error) {
      await this.runner.query('rollback');
      throw new Error(`${direction} of ${Step.name} failed: ${String(error)}`, { cause: error });
    }
  }
}
