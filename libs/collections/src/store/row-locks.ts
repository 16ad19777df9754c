import type { EntityManager } from 'typeorm';
import type { SiteRow } from './site-row.js';
import type { Caller, Fence, Key } from './store-declaration.js';

type Lock<Row> = readonly [row: Row, caller: Caller];

/** The newest state of each row that a transaction has locked, and the caller who sees it. */
export class RowLocks<Row extends SiteRow> {
  readonly #transactions = new WeakMap<EntityManager, Map<string, Lock<Row>>>();

  constructor(private readonly fence: ((caller: Caller) => Fence | undefined) | undefined) {}

  add(tx: EntityManager, caller: Caller, row: Row): Row {
    const locks = this.#transactions.get(tx) ?? new Map<string, Lock<Row>>();
    this.#transactions.set(tx, locks.set(row.id, [row, caller]));
    return row;
  }

  /** Returns the key itself, if it is the newest state of a row that the transaction has locked and the caller sees. */
  find(tx: EntityManager, caller: Caller, key: Key): Row | undefined {
    const row = this.held(tx, caller, key.id);
    return row === key ? row : undefined;
  }

  /** Returns the newest state of the row, if the transaction has locked it and the caller sees it. */
  held(tx: EntityManager, caller: Caller, id: string): Row | undefined {
    const [row, lockedBy] = this.#transactions.get(tx)?.get(id) ?? [];
    if (row?.site_id !== caller.site_id) return undefined;
    return lockedBy === caller || this.fence?.(caller) === undefined ? row : undefined;
  }
}
