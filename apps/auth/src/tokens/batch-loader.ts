import DataLoader from 'dataloader';

/** Keys per statement. */
export const MAX_BATCH_SIZE = 64;
/** Milliseconds that keys wait for the statement before them. A stuck one delays no key for longer. */
export const MOST_WAIT = 5;

/**
 * Loads all keys of one turn of the event loop by one statement, and all keys that arrive while it runs by the next
 * one: the busier the process, the less each key costs. Nothing is cached, because a revoked or used credential must
 * not be found again.
 */
export function batchLoader<Key, Value>(
  find: (keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>,
): DataLoader<Key, Value | undefined> {
  let running = 0;
  const waiting = new Set<() => void>();
  const findInTurn = async (keys: readonly Key[]): Promise<readonly (Value | undefined)[]> => {
    running += 1;
    try {
      return await find(keys);
    } finally {
      running -= 1;
      // After all sockets of this turn were read.
      if (running === 0) setImmediate(() => waiting.forEach((start) => start()));
    }
  };
  const wait = (load: () => void): void => {
    const start = (): void => {
      clearTimeout(timer);
      waiting.delete(start);
      load();
    };
    const timer = setTimeout(start, MOST_WAIT);
    waiting.add(start);
  };
  return new DataLoader(findInTurn, {
    cache: false,
    maxBatchSize: MAX_BATCH_SIZE,
    // Runs after all sockets of this turn were read.
    batchScheduleFn: (load) => void setImmediate(() => (running === 0 ? load() : wait(load))),
  });
}
