/** Signals the shutdown to long-running work, such as event streams. */
export class Lifecycle {
  readonly #controller = new AbortController();

  /** Aborted when the shutdown begins, before the listener closes: end streams, start no long work. */
  get stopping(): AbortSignal {
    return this.#controller.signal;
  }

  /** Called by the service. */
  stop(): void {
    this.#controller.abort();
  }
}
