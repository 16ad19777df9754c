/**
 * What is published within one turn of the event loop leaves in one write. A write to a socket is the dearest step of a request
 * between services; under load many of them are due in the same turn, and at rest the turn ends at once.
 */
export class Outgoing {
  #publications: (() => void)[] = [];

  /** `publish` must not throw. */
  add(publish: () => void): void {
    if (this.#publications.push(publish) === 1) setImmediate(() => this.flush());
  }

  /** Publishes what waits now, before the connection is closed. */
  flush(): void {
    const publications = this.#publications;
    this.#publications = [];
    for (const publish of publications) publish();
  }
}
