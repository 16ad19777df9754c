import { setTimeout as sleep } from 'node:timers/promises';

/** A busy machine makes events late, and only a test that fails waits this long. */
const LIMIT_MS = 45_000;
const PAUSE_MS = 25;

/**
 * Polls until the value satisfies, for facts that come with time. Without `satisfies` a value is enough that is not
 * empty, 0 or false.
 *
 * @throws an error with the last value after `limitMs`, and each error of `poll` at once
 */
export function eventually<T>(poll: () => T | Promise<T>): Promise<NonNullable<T>>;
export function eventually<T>(
  poll: () => T | Promise<T>,
  satisfies: (value: T) => boolean,
  limitMs?: number,
): Promise<T>;
export async function eventually<T>(
  poll: () => T | Promise<T>,
  satisfies: (value: T) => boolean = Boolean,
  limitMs = LIMIT_MS,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const value = await poll();
    if (satisfies(value)) return value;
    if (performance.now() > end) throw new Error(`Not within ${limitMs} ms; the last value: ${JSON.stringify(value)}`);
    await sleep(PAUSE_MS);
  }
}
