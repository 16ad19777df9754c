/** Shares work that is under way: calls with the same key get the same promise. Results are not kept. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  /** Keys that are under way. */
  get size(): number {
    return this.#running.size;
  }

  run(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const result = work().finally(() => {
      // After `forget`, the key may belong to a later call.
      if (this.#running.get(key) === result) this.#running.delete(key);
    });
    this.#running.set(key, result);
    return result;
  }

  /** Later calls start their own work. Work under way goes on for the calls that wait for it. */
  forget(): void {
    this.#running.clear();
  }
}
