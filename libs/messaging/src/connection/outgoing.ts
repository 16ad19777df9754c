/**
 * Groups the publications of one turn of the event loop into one write. A socket write is the most expensive step of a
 * request between services; under load many are due in the same turn, and at rest the turn ends at once.
 */
export class Outgoing {
  #publications: (() => void)[] = [];

  /** `publish` must not throw. */
  add(publish: () => void): void {
    if (this.#publications.push(publish) === 1) setImmediate(() => this.flush());
  }

  /** Publishes the pending messages, before the connection closes. */
  flush(): void {
    const publications = this.#publications;
    this.#publications = [];
    for (const publish of publications) publish();
  }
}
