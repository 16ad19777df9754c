/** Exponential backoff from `first` to `max`, with up to a quarter of jitter so that replicas do not retry in step. */
export class Backoff {
  readonly #first: number;
  readonly #max: number;
  #next: number;

  constructor(first: number, max: number) {
    this.#first = first;
    this.#max = max;
    this.#next = first;
  }

  reset(): void {
    this.#next = this.#first;
  }

  /** Milliseconds to wait before the next attempt. */
  next(): number {
    const wait = this.#next;
    this.#next = Math.min(this.#max, wait * 2);
    return wait * (1 - Math.random() / 4);
  }
}

/** Resolves after the time or as soon as the signal aborts; never rejects. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal?.addEventListener('abort', finish, { once: true });
  });
}

/** Waits for the work up to the time limit; the work itself continues. Returns true when it ended in time. */
export async function atMost(milliseconds: number, work: Promise<unknown> | undefined): Promise<boolean> {
  const done = new AbortController();
  const late = pause(milliseconds, done.signal).then(() => false);
  try {
    return await Promise.race([Promise.resolve(work).then(() => true), late]);
  } finally {
    done.abort();
  }
}
