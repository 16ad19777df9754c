import DataLoader from 'dataloader';

/** Keys of one statement. */
export const MAX_BATCH_SIZE = 64;

/**
 * Loads all keys of one turn of the event loop by one statement: the busier the process, the less each key costs. Nothing
 * is kept, because a credential that was revoked or used must not be found again.
 */
export function batchLoader<Key, Value>(
  find: (keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>,
): DataLoader<Key, Value | undefined> {
  return new DataLoader(find, {
    cache: false,
    maxBatchSize: MAX_BATCH_SIZE,
    // After all sockets of this turn were read.
    batchScheduleFn: (load) => void setImmediate(load),
  });
}
