/**
 * Values by key for as long as a request takes. A plain `Map` would do, were it not for the garbage: V8 gives a map that is
 * written to and emptied all the time a new table every few entries, each old table points to the next and to what it held,
 * and once one of them is old all that ever follows lives until the next full collection. Here the map holds only cells, and a
 * cell lets go of its value when it is removed.
 */
export class InFlight<T> {
  readonly #cells = new Map<string, { value: T | undefined }>();

  add(key: string, value: T): void {
    this.#cells.set(key, { value });
  }

  get(key: string): T | undefined {
    return this.#cells.get(key)?.value;
  }

  /** What was there, if it still was. */
  remove(key: string): T | undefined {
    const cell = this.#cells.get(key);
    if (cell === undefined) return undefined;
    this.#cells.delete(key);
    const { value } = cell;
    cell.value = undefined;
    return value;
  }

  /** Those of now: what is removed meanwhile is not missed, what is added is not seen. */
  values(): T[] {
    return [...this.#cells.values()].flatMap(({ value }) => (value === undefined ? [] : [value]));
  }
}
