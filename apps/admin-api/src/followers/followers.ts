import type { EntityManager } from 'typeorm';

type Work<Change> = (tx: EntityManager, change: Change) => Promise<void>;

/**
 * Runs work of other features in the transaction of a change. These features import the one that changes, so it cannot
 * import them.
 */
export class Followers<Change> {
  readonly #works: Work<Change>[] = [];

  add(work: Work<Change>): void {
    this.#works.push(work);
  }

  async notify(tx: EntityManager, change: Change): Promise<void> {
    for (const work of this.#works) await work(tx, change);
  }
}
