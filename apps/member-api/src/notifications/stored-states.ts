import type { EntityManager } from 'typeorm';
import type { Stored } from './state-changes.js';

interface StateTable<State> {
  readonly table: string;
  /** The column with the id of the aggregate. */
  readonly id: string;
  readonly columns: readonly (keyof State & string)[];
}

/** Locks the stored states of aggregates, in one order to avoid deadlocks. */
export function lockStates<State>(
  tx: EntityManager,
  { table, id, columns }: StateTable<State>,
  ids: readonly string[],
): Promise<Stored<State>[]> {
  return tx.query(
    `select ${id} as id, epoch::int, version, ${columns.join(', ')} from ${table}
     where ${id} = any($1::uuid[]) order by ${id} for update`,
    [ids],
  );
}
