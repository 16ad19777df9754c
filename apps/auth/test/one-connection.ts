import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource } from 'typeorm';

interface Pool {
  connect: (...given: readonly unknown[]) => unknown;
}

interface Running {
  connections: number;
  ended: boolean;
}

/**
 * Watches whether a transaction takes a second connection of the pool: as many of them at one time as the pool has
 * connections wait for each other. Returns a function that throws where it happened first.
 */
export function watchConnections({ manager, driver }: DataSource): () => void {
  const running = new AsyncLocalStorage<Running>();
  const { master: pool } = driver as unknown as { readonly master: Pool };
  const faults: Error[] = [];
  const transaction = manager.transaction.bind(manager) as (...given: readonly unknown[]) => Promise<unknown>;
  const connect = pool.connect.bind(pool);
  Object.assign(manager, {
    transaction: (...given: readonly unknown[]) => {
      const state = { connections: 0, ended: false };
      return running.run(state, () => transaction(...given)).finally(() => (state.ended = true));
    },
  });
  pool.connect = (...given) => {
    const state = running.getStore();
    if (state !== undefined && !state.ended && (state.connections += 1) > 1)
      faults.push(new Error('A transaction takes a second connection'));
    return connect(...given);
  };
  return () => {
    if (faults[0] !== undefined) throw faults[0];
  };
}
