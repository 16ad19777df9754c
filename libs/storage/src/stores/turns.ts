type Work = () => void;

/** Does one piece of work in each turn of the event loop, in the order of the calls. Requests come between them. */
export class Turns {
  readonly #waiting: Work[] = [];

  /** Calls `work` once, in a later turn. */
  take(work: Work): void {
    this.#waiting.push(work);
    if (this.#waiting.length === 1) setImmediate(() => this.#next());
  }

  #next(): void {
    const work = this.#waiting[0];
    try {
      work?.();
    } finally {
      this.#waiting.shift();
      if (this.#waiting.length > 0) setImmediate(() => this.#next());
    }
  }
}
