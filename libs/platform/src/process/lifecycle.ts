/** Signals the shutdown to long-running work, such as event streams. */
export class Lifecycle {
  readonly #stopping = new AbortController();
  readonly #late = new AbortController();

  /** Aborted when the shutdown begins, before the listener closes: end streams, start no long work. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Aborted when the time for running work is over. The rest of the shutdown is for connections and pools. */
  get late(): AbortSignal {
    return this.#late.signal;
  }

  /**
   * Called by the service.
   *
   * @param time milliseconds for running work
   */
  stop(time: number): void {
    this.#stopping.abort();
    setTimeout(() => this.#late.abort(), time).unref();
  }

  /** Waits for work until it ends or is late. Late work goes on. Rejects as the work does. */
  async inTime(work: Promise<unknown>): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const end = (): void => resolve();
    if (this.late.aborted) end();
    this.late.addEventListener('abort', end, { once: true });
    try {
      await Promise.race([work, late]);
    } finally {
      this.late.removeEventListener('abort', end);
    }
  }
}
