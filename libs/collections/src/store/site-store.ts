import type { EntityEvents } from '@lyceum/contracts';
import { ApiError, errorOr } from '@lyceum/errors';
import type { Outbox, Republication } from '@lyceum/messaging';
import { RowMapping, preparedQuery, uuidv7 } from '@lyceum/platform';
import type { PreparedStatement, Sql, Statement } from '@lyceum/platform';
import { keyStatement, listStatement, searchable, takenError, violates } from '@lyceum/rest';
import { requirePreconditions } from '@lyceum/rest';
import type { ListQuery, Page, Pager, Preconditions, Where } from '@lyceum/rest';
import type { DataSource, EntityManager } from 'typeorm';
import { insertMany, updateMany } from './many-rows.js';
import type { Created, Written } from '../declaration/requests.js';
import { RowLocks } from './row-locks.js';
import { RowEvents } from './row-events.js';
import { editOf, fieldsOf, keyOf, narrow, selectWithin, whereOf } from './row-values.js';
import type { SiteRow } from './site-row.js';
import { requireColumns } from './store.checks.js';
import { NEVER } from './store-declaration.js';
import type { Also, Caller, ChangeOfMany, Decide, EventName, Key } from './store-declaration.js';
import type { Others, StoreDeclaration, Unless, UpsertKey, Within } from './store-declaration.js';
import { hasSuccessor, othersOf } from './unique-values.js';

/** SQL of the lock before a change of a row. */
const LOCK = 'for no key update';

/**
 * The rows of one entity, fenced by their site, with their events. A change locks the row, decides, writes it with its
 * next version, and publishes its event. Some repositories write rows of the entity by SQL of their own, for many rows
 * or in another order of locks: they fence the rows and raise the versions, and their service calls `publish`.
 */
export class SiteStore<Row extends SiteRow, E extends EntityEvents> {
  readonly #rows: RowMapping<Row>;
  readonly #one: string;
  readonly #listed: string;
  readonly #locks: RowLocks<Row>;
  readonly #events: RowEvents<Row, E>;

  constructor(
    private readonly declaration: StoreDeclaration<Row, E>,
    private readonly sql: Sql,
    private readonly pager: Pager,
    outbox: Outbox,
    dataSource: DataSource,
  ) {
    this.#rows = new RowMapping(dataSource, declaration.entity, declaration.computed ?? {});
    requireColumns(this.#rows.table, this.#rows.columns, declaration);
    this.#locks = new RowLocks(declaration.fence);
    this.#events = new RowEvents(declaration, this.#rows, outbox);
    this.#one = this.#rows.select();
    // A list has the site as `$1`: PostgreSQL computes what depends on it alone once, not with each row.
    this.#listed = this.#rows.select(declaration.resource.details).replaceAll(`${this.#rows.table}.site_id`, '$1');
  }

  /** One page of the rows that the query asks for. */
  async list(caller: Caller, query: ListQuery, within: Within<Row> = {}): Promise<Page<Row>> {
    const parents = Object.values(within).join('/');
    const list = { collection: [this.#rows.table, parents].filter(Boolean).join('/'), site_id: caller.site_id };
    const page = await this.pager.page(list, query, async (after) => {
      const fenced = this.#where(caller, within);
      const columns = this.#columns(caller, fenced, this.#listed, this.declaration.resource.details);
      const where = searchable(fenced, this.declaration.resource, query);
      const statement = listStatement({ columns, table: this.#rows.table, where }, query, after);
      return this.sql.query<Row>(statement, statement.values);
    });
    return { ...page, rows: page.rows.map((row) => this.#rows.hydrate(row)) };
  }

  /** Returns the row with these values of a unique key. Pass `tx` in a transaction, so as not to exhaust the pool. */
  async find(caller: Caller, key: Within<Row>, tx?: EntityManager): Promise<Row | undefined> {
    return (await this.#select(caller, key, tx))[0];
  }

  /** Returns whole rows with one of the values of a text column. */
  findBy(caller: Caller, column: keyof Row & string, values: readonly string[], tx?: EntityManager): Promise<Row[]> {
    return this.#select(caller, { [column]: values }, tx);
  }

  /** Returns rows by id, as lists have them or whole. Leaves out rows that the caller may not see. */
  async findAll(caller: Caller, ids: readonly string[], tx?: EntityManager, listed = true) {
    const found = await this.#select(caller, { id: ids }, tx, listed);
    return new Map(found.map((row) => [row.id, row]));
  }

  /** Pass `tx` in a transaction, as to `find`. @throws `not_found` */
  async get(caller: Caller, id: string, within: Within<Row> = {}, tx?: EntityManager): Promise<Row> {
    return (await this.find(caller, { id, ...within }, tx)) ?? this.missing();
  }

  /** The same row, locked until the transaction ends. */
  async findLocked(tx: EntityManager, caller: Caller, key: Within<Row>): Promise<Row | undefined> {
    const where = this.#where(caller, key);
    const columns = this.#columns(caller, where);
    const read = this.declaration.computed || columns !== this.#one ? `${columns}, ${this.#rows.stale}` : columns;
    const statement = keyStatement(this.#rows.table, read, where, LOCK);
    const [found] = await preparedQuery<Row & { readonly stale?: boolean }>(tx, statement, statement.values);
    if (found === undefined) return undefined;
    const { stale, ...row } = found;
    if (stale === true) return this.findLocked(tx, caller, key);
    return this.#locks.add(tx, caller, this.#rows.hydrate(row as object as Row));
  }

  /** Rows by id, locked in the order of their ids. A second statement reads them as they are after the wait. */
  async #lockAll(tx: EntityManager, caller: Caller, keys: readonly Key[]): Promise<ReadonlyMap<string, Row>> {
    const ids = keys.map(({ id }) => id);
    const where = this.#where(caller, {}).and('id = any(?::uuid[])', ids);
    await preparedQuery(tx, keyStatement(this.#rows.table, 'id', where, `order by id ${LOCK}`), where.values);
    return this.findAll(caller, ids, tx, false);
  }

  /** @throws `not_found` */
  async lock(tx: EntityManager, caller: Caller, id: string, within: Within<Row> = {}): Promise<Row> {
    return (await this.findLocked(tx, caller, { id, ...within })) ?? this.missing();
  }

  /** The same row without a statement, if this store has locked it. Its counters may be older than the table. */
  async held(tx: EntityManager, caller: Caller, id: string): Promise<Row> {
    return this.#locks.held(tx, caller, id) ?? this.lock(tx, caller, id);
  }

  /** Does not read given computed values. @throws `already_exists` for a value that another row of the site has */
  async insert(tx: EntityManager, caller: Caller, values: Partial<Row>, event: EventName<E>, also?: Also<Row, E>) {
    const stored = { ...values, site_id: caller.site_id };
    const known = Object.keys(values).filter((name) => name in (this.declaration.computed ?? {}));
    const returning = known.length === 0 ? this.#one : this.#rows.select(known);
    const statement = this.#rows.insertion(stored, returning, 'on conflict do nothing');
    const [raw] = await preparedQuery<Row>(tx, statement, statement.values);
    if (raw === undefined) await this.#refuse(tx, caller, values);
    // The row in the way is gone. A second conflict fails with the name of its constraint.
    const row = raw ? this.#rows.hydrate(raw) : await this.#write(tx, this.#rows.insertion(stored, returning));
    for (const name of known) Object.assign(row, { [name]: Reflect.get(values, name) });
    await this.publish(tx, row, event, also);
    return { row: this.#locks.add(tx, caller, row), changed: true, created: true };
  }

  /** Inserts many rows with one statement. Returns the error of each row whose unique value another row has. */
  async insertAll(
    tx: EntityManager,
    caller: Caller,
    list: readonly Partial<Row>[],
    event: EventName<E>,
    also?: (row: Row) => Also<Row, E>,
  ): Promise<readonly (Created<Row> | ApiError)[]> {
    const site = { site_id: caller.site_id };
    const stored = list.map((values): Partial<Row> => ({ ...values, id: uuidv7(), ...site }));
    const table = { rows: this.#rows, select: this.#one, unique: this.declaration.unique };
    const { made, taken } = await insertMany(tx, table, stored, this.#where(caller, {}));
    const publications = [...made.values()].map((row) => ({ row, also: also?.(row) }));
    await this.#events.publish(tx, event, publications);
    return stored.map((values) => {
      const row = made.get(values.id ?? '');
      const { member = '', ...by } = taken.get(values) ?? {};
      return row ? { row, changed: true, created: true } : errorOr(() => this.taken(member, by));
    });
  }

  /**
   * Locks the row, asks the decision for its change, writes it and publishes the event. A row that `lock`, `findLocked`
   * or `insert` returned in this transaction for the same view is not read again.
   */
  async change(tx: EntityManager, caller: Caller, key: Key, decide: Decide<Row, E>): Promise<Written<Row>> {
    const row = this.#locks.find(tx, caller, key) ?? (await this.lock(tx, caller, key.id, key.within));
    this.requireMatch(row, key);
    const decision = await decide(row);
    if (decision === undefined) return { row, changed: false };
    const { event, changes, also, keepsTag = false } = decision;
    await decision.with?.(tx, row);
    const others = await othersOf<Row>(this.declaration.unique, { row, changes }, (by) => this.find(caller, by, tx));
    const next = { ...changes, ...editOf(row, keepsTag), version: row.version + 1 };
    const place = { site_id: row.site_id, id: row.id } as Partial<Row>;
    const written = await this.#write(tx, this.#rows.update(place, next, this.#one), others);
    await this.publish(tx, written, event, also, fieldsOf(changes));
    narrow(this.declaration.fence?.(caller), written, row);
    this.#locks.add(tx, caller, written);
    await decision.after?.(tx, written);
    return { row: written, changed: true };
  }

  /** Changes different rows with one statement. Returns the error of each row that is refused. @throws other errors */
  async changeAll(tx: EntityManager, caller: Caller, keys: readonly Key[], many: ChangeOfMany<Row, E>) {
    const rows = await this.#lockAll(tx, caller, keys);
    const decided = keys.map((key, index) =>
      errorOr(() => {
        const row = rows.get(key.id) ?? this.missing();
        this.requireMatch(row, key);
        return { row, changes: many.changesOf(row, index) };
      }),
    );
    const changing = decided.flatMap((one) =>
      one instanceof ApiError || one.changes === undefined ? [] : [{ row: one.row, changes: one.changes }],
    );
    if (hasSuccessor(this.declaration.unique, changing)) throw new ApiError('already_exists', 'The order counts');
    await many.with?.(changing);
    const writing = updateMany(tx, { rows: this.#rows, select: this.#one }, changing);
    const written = await writing.catch((error: unknown) => this.#fail(error));
    const done = changing.map(({ row, changes }) => ({ row: written.get(row.id) ?? this.missing(), changes }));
    const publications = done.map(({ row, changes }) => ({ row, changed: fieldsOf(changes) }));
    await this.#events.publish(tx, many.event, publications);
    for (const { row } of done) {
      narrow(this.declaration.fence?.(caller), row, rows.get(row.id) ?? row);
      this.#locks.add(tx, caller, row);
    }
    return decided.map((one) => {
      if (one instanceof ApiError) return one;
      return { row: written.get(one.row.id) ?? one.row, changed: written.has(one.row.id) };
    });
  }

  async remove(tx: EntityManager, caller: Caller, key: Key, unless: Unless = NEVER): Promise<Written<Row>> {
    const row = await this.lock(tx, caller, key.id, key.within);
    this.requireMatch(row, key);
    const kept = `delete from ${this.#rows.table} where site_id = $1 and id = $2 and not (${unless.sql}) returning 1`;
    const [gone] = await tx.query<unknown[]>(`with gone as (${kept}) select 1 from gone`, [row.site_id, row.id]);
    if (gone === undefined) throw unless.error;
    await this.publish(tx, Object.assign({}, row, { version: row.version + 1 }), 'deleted');
    return { row, changed: true };
  }

  /** Inserts the row of an `external_id`, or changes the existing one. Concurrent upserts are serialized. */
  async upsert(
    tx: EntityManager,
    caller: Caller,
    { external_id, ...tags }: UpsertKey,
    make: { create: () => Partial<Row>; decide: Decide<Row, E>; also?: Also<Row, E> },
  ): Promise<Created<Row>> {
    const lock = `${this.#rows.table} ${caller.site_id} ${external_id}`;
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [lock]);
    const row = await this.findLocked(tx, caller, { external_id } as Within<Row>);
    this.requireMatch(row, tags);
    if (row === undefined) return this.insert(tx, caller, { ...make.create(), external_id }, 'created', make.also);
    return { ...(await this.change(tx, caller, row, make.decide)), created: false };
  }

  /** Publishes the row as it is. */
  publish(tx: EntityManager, row: Row, name: EventName<E>, also?: Also<Row, E>, changed: readonly string[] = []) {
    return this.#events.publish(tx, name, [{ row, also, changed }]);
  }

  /** All rows of all sites, for consumers that rebuild: see docs/adr/0012-rebuilding-read-models.md. */
  republication(): Republication<E> {
    return this.#events.republication(this.#one);
  }

  /** @throws `precondition_failed` */
  requireMatch(row: Row | undefined, conditions: Preconditions): void {
    requirePreconditions(row && ('revision' in row ? Number(row.revision) : row.version), conditions);
  }

  /** @throws `already_exists` in place of a violated constraint of the declaration. */
  #fail(error: unknown, others?: Others<Row>): never {
    const [name, key] = Object.entries(this.declaration.unique ?? {}).find(([one]) => violates(error, one)) ?? [];
    if (name === undefined) throw error;
    return this.taken([key].flat().at(-1) ?? '', others?.get(name));
  }

  /** @throws `already_exists` if a row has one of the unique values, with its id unless the fence hides the row */
  async #refuse(tx: EntityManager, caller: Caller, values: Partial<Row>): Promise<void> {
    for (const unique of Object.values(this.declaration.unique ?? {})) {
      const key = keyOf<Row>(unique, values);
      const known = key && (await this.findLocked(tx, { site_id: caller.site_id }, key));
      if (known) this.taken([unique].flat().at(-1) ?? '', await this.findLocked(tx, caller, key));
    }
  }

  taken(member: string, by?: { readonly id?: string | undefined }): never {
    throw takenError(this.declaration.resource.one, member, by?.id);
  }

  missing(): never {
    throw new ApiError('not_found', `This site has no such ${this.declaration.resource.one}`);
  }

  async #write(tx: EntityManager, statement: PreparedStatement, others?: Others<Row>): Promise<Row> {
    const written = preparedQuery<Row>(tx, statement, statement.values);
    const [row] = await written.catch((error: unknown) => this.#fail(error, others));
    if (row === undefined) throw new Error(`${this.#rows.table} returned no row`);
    return this.#rows.hydrate(row);
  }

  #where(caller: Caller, within: object): Where {
    return whereOf(caller, within, this.declaration.fence?.(caller));
  }

  #columns(caller: Caller, { values }: Where, all = this.#one, omitted: readonly string[] = []): string {
    const without = (names: readonly string[]) => this.#rows.select([...omitted, ...names]);
    return selectWithin(this.declaration.fence?.(caller), values.length, all, without);
  }

  async #select(caller: Caller, within: object, tx?: EntityManager, listed = false): Promise<Row[]> {
    const where = this.#where(caller, within);
    const [all, omitted] = listed ? [this.#listed, this.declaration.resource.details] : [this.#one, []];
    const statement = keyStatement(this.#rows.table, this.#columns(caller, where, all, omitted), where);
    return (await this.#query(statement, statement.values, tx)).map((row) => this.#rows.hydrate(row));
  }

  #query(statement: Statement, values: readonly unknown[], tx?: EntityManager): Promise<Row[]> {
    return tx ? preparedQuery<Row>(tx, statement, values) : this.sql.query<Row>(statement, values);
  }
}
