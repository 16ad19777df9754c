/** Tells long-lived work, such as event streams, that the service is about to stop. */
export class Lifecycle {
  readonly #controller = new AbortController();

  /** Aborted when shutdown begins, before the listener closes: end streams, take no new long work. */
  get stopping(): AbortSignal {
    return this.#controller.signal;
  }

  /** Called by the service. */
  stop(): void {
    this.#controller.abort();
  }
}
