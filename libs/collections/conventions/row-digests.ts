import type { Json } from './cases.js';

/**
 * Counters of requests change with each request, and the relay empties the outbox, of which `outbox_log` keeps a copy.
 */
const NOT_COMPARED = ['rate_windows', 'outbox', 'row_digests'];

const SETUP = `
  create table if not exists row_digests (name text not null, rows bigint not null, digest numeric not null);
  create or replace function note_rows() returns trigger language plpgsql as $$
    begin
      if tg_op in ('INSERT', 'UPDATE') then
        insert into row_digests
        select tg_table_name, count(*), sum(hashtextextended(t::text, 0)) from added t having count(*) > 0;
      end if;
      if tg_op in ('DELETE', 'UPDATE') then
        insert into row_digests
        select tg_table_name, -count(*), -sum(hashtextextended(t::text, 0)) from removed t having count(*) > 0;
      end if;
      if tg_op = 'TRUNCATE' then
        insert into row_digests values (tg_table_name, -1, 0);
      end if;
      return null;
    end $$;`;

const EVENTS = [
  ['insert', 'referencing new table as added'],
  ['update', 'referencing old table as removed new table as added'],
  ['delete', 'referencing old table as removed'],
  ['truncate', ''],
] as const;

type Query = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/**
 * A digest of the rows of each table. Triggers note what a statement adds and removes, so the cost does not grow with
 * the rows. Sums of hashes need no order.
 */
export class RowDigests {
  readonly #totals = new Map<string, { readonly rows: bigint; readonly digest: bigint }>();

  private constructor(private readonly query: Query) {}

  static async open(query: Query): Promise<RowDigests> {
    // A statement that names a partition fires the triggers of the partition alone.
    const tables = await query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> all($1)`,
      [NOT_COMPARED],
    );
    const triggers = tables.flatMap(({ name }) =>
      EVENTS.map(
        ([event, rows]) =>
          `create or replace trigger note_${event} after ${event} on ${name} ${rows}
           for each statement execute function note_rows();`,
      ),
    );
    await query([SETUP, ...triggers].join('\n'));
    return new RowDigests(query);
  }

  /** Equal for equal rows. Each call reads only what has changed since the one before. */
  async read(): Promise<Json> {
    const changes = await this.query<{ name: string; rows: string; digest: string }>(
      `with taken as (delete from row_digests returning name, rows, digest)
       select name, sum(rows)::text as rows, sum(digest)::text as digest from taken group by name`,
    );
    for (const { name, rows, digest } of changes) {
      const { rows: before, digest: sum } = this.#totals.get(name) ?? { rows: 0n, digest: 0n };
      const total = { rows: before + BigInt(rows), digest: sum + BigInt(digest) };
      if (total.rows === 0n && total.digest === 0n) this.#totals.delete(name);
      else this.#totals.set(name, total);
    }
    return Object.fromEntries([...this.#totals].map(([name, { rows, digest }]) => [name, `${rows} ${digest}`]));
  }
}
