/**
 * Values by key for the duration of a request. A plain `Map` leaks until the next full collection: V8 replaces the
 * table of a map with many insertions and deletions, each old table refers to the next one, and once a table is old it
 * keeps all later ones alive. This map contains only cells, and a removed cell drops its value.
 */
export class InFlight<T> {
  readonly #cells = new Map<string, { value: T | undefined }>();

  add(key: string, value: T): void {
    this.#cells.set(key, { value });
  }

  get(key: string): T | undefined {
    return this.#cells.get(key)?.value;
  }

  /** Removes and returns the value. */
  remove(key: string): T | undefined {
    const cell = this.#cells.get(key);
    if (cell === undefined) return undefined;
    this.#cells.delete(key);
    const { value } = cell;
    cell.value = undefined;
    return value;
  }

  /** A snapshot: values added during the iteration are not included. */
  values(): T[] {
    return [...this.#cells.values()].flatMap(({ value }) => (value === undefined ? [] : [value]));
  }
}
