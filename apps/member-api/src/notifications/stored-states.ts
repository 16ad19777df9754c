import { together } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { lockAggregates } from './aggregate-locks.js';
import type { Stored } from './state-changes.js';

interface StateTable<State> {
  readonly table: string;
  /** The column with the id of the aggregate. */
  readonly id: string;
  readonly columns: readonly (keyof State & string)[];
}

/**
 * Locks aggregates, and returns their stored states. Two transactions with the first events of an aggregate, which has
 * no row yet, run one after the other.
 */
export async function lockStates<State>(
  tx: EntityManager,
  { table, id, columns }: StateTable<State>,
  ids: readonly string[],
): Promise<Stored<State>[]> {
  const [, stored] = await together([
    lockAggregates(ids, tx),
    // Another statement, so that it sees what the transaction before wrote. In one order, to avoid deadlocks.
    tx.query<Stored<State>[]>(
      `select ${id} as id, epoch::int, version, ${columns.join(', ')} from ${table}
       where ${id} = any($1::uuid[]) order by ${id} for update`,
      [ids],
    ),
  ]);
  return stored;
}
