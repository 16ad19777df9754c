import type { EntityManager } from 'typeorm';
import type { SiteRow } from './site-row.js';
import type { Caller, Fence, Key } from './store-declaration.js';

interface Lock<Row> {
  readonly row: Row;
  readonly caller: Caller;
}

/** The newest state of each row that a transaction has locked, and the caller who sees it. */
export class RowLocks<Row extends SiteRow> {
  readonly #transactions = new WeakMap<EntityManager, Map<string, Lock<Row>>>();

  constructor(private readonly fence: ((caller: Caller) => Fence | undefined) | undefined) {}

  add(tx: EntityManager, caller: Caller, row: Row): Row {
    const locks = this.#transactions.get(tx) ?? new Map<string, Lock<Row>>();
    this.#transactions.set(tx, locks.set(row.id, { row, caller }));
    return row;
  }

  /** Returns the key itself, if it is the newest state of a row that the transaction has locked and the caller sees. */
  find(tx: EntityManager, caller: Caller, key: Key): Row | undefined {
    const lock = this.#transactions.get(tx)?.get(key.id);
    if (lock?.row !== key || lock.row.site_id !== caller.site_id) return undefined;
    return lock.caller === caller || this.fence?.(caller) === undefined ? lock.row : undefined;
  }
}
