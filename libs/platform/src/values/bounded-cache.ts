/** Keeps the values that were made last, by their keys. The oldest one leaves. */
export class BoundedCache<Value extends object> {
  readonly #values = new Map<string, Value>();

  /** @param limit number of values that are kept at most */
  constructor(private readonly limit: number) {}

  get size(): number {
    return this.#values.size;
  }

  /** Returns the value of a key. One that is missing is made. */
  get(key: string, make: () => Value): Value {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#values.set(key, made);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.limit && oldest !== undefined) this.#values.delete(oldest);
    return made;
  }
}
