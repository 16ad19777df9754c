import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 30_000;

/** Polls until the condition holds. */
export async function eventually<T>(poll: () => T | Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const value = await poll();
    if (holds(value)) return value;
    if (performance.now() > until) throw new Error(`The condition did not hold in time: ${JSON.stringify(value)}`);
    await sleep(20);
  }
}
