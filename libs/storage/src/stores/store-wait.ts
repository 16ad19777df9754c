/** Limits the time for which a request waits for its store. The time between two waits belongs to the reader. */
export class StoreWait {
  readonly #controller = new AbortController();
  /** Ends the request. */
  readonly signal = this.#controller.signal;

  /** @param milliseconds of all waits together */
  constructor(private milliseconds: number) {}

  async for<T>(work: Promise<T>): Promise<T> {
    const started = performance.now();
    const timer = setTimeout(() => this.#controller.abort(), this.milliseconds);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
      this.milliseconds -= performance.now() - started;
    }
  }
}
