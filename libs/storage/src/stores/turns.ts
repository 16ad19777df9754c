type Work = () => void;

/** Does one piece of work in each turn of the event loop, in the order of the calls. Requests come between them. */
export class Turns {
  readonly #waiting: Work[] = [];

  /** Calls `work` once, in a later turn. Rejects with its error. */
  async run(work: Work): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    if (this.#waiting.length === 1) setImmediate(() => this.#next());
    await promise;
    work();
  }

  #next(): void {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(() => this.#next());
  }
}
