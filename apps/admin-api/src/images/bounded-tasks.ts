import { ApiError } from '@lyceum/errors';

interface Bounds {
  /** Tasks at one time. */
  readonly parallel: number;
  /** Tasks that wait for these. */
  readonly waiting: number;
}

/** Runs a bounded number of tasks at one time, in the order of their calls. */
export class BoundedTasks {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(private readonly bounds: Bounds) {}

  /** @throws `temporarily_unavailable` while too many tasks wait */
  async run<T>(task: () => Promise<T>): Promise<T> {
    await this.#turn();
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  async #turn(): Promise<void> {
    const { parallel, waiting } = this.bounds;
    if (this.#running < parallel) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= waiting)
      throw new ApiError('temporarily_unavailable', 'Too many images are converted at this time', { retryAfter: 5 });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    await promise;
  }
}
