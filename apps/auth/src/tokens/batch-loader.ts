import DataLoader from 'dataloader';

/** Keys per statement. */
export const MAX_BATCH_SIZE = 64;

/**
 * Loads all keys of one turn of the event loop by one statement: the busier the process, the less each key costs.
 * Nothing is cached, because a revoked or used credential must not be found again.
 */
export function batchLoader<Key, Value>(
  find: (keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>,
): DataLoader<Key, Value | undefined> {
  return new DataLoader(find, {
    cache: false,
    maxBatchSize: MAX_BATCH_SIZE,
    // Runs after all sockets of this turn were read.
    batchScheduleFn: (load) => void setImmediate(load),
  });
}
