/** Keys of one look-up; more wait for the next. */
export const MOST_KEYS = 64;
/** A look-up that takes longer, on a connection that hangs perhaps, does not hold up the next one. Milliseconds. */
export const PATIENCE = 50;

interface Waiting<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Asks for many at once. What comes in within one turn of the event loop goes out as one statement, and what comes in
 * while that is under way as the next one: the busier the process, the less each key costs.
 *
 * Nothing is kept: each call is answered by a statement that began after it.
 */
export class LookUps<Key, Value> {
  readonly #waiting: Waiting<Key, Value>[] = [];
  #held = false;

  /** `find` answers with the values by key; a key that is not there has none. */
  constructor(private readonly find: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>) {}

  of(key: Key): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
      this.#sendSoon();
    });
  }

  #sendSoon(): void {
    if (this.#held || this.#waiting.length === 0) return;
    this.#held = true;
    // After all sockets of this turn were read.
    setImmediate(() => void this.#send(this.#waiting.splice(0, MOST_KEYS)));
  }

  async #send(asked: readonly Waiting<Key, Value>[]): Promise<void> {
    const release = this.#hold();
    try {
      const found = await this.find([...new Set(asked.map(({ key }) => key))]);
      for (const { key, resolve } of asked) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
    release();
  }

  /** Lets the next one go when the returned function is called, or patience ends: whichever comes first. */
  #hold(): () => void {
    let holding = true;
    const release = (): void => {
      clearTimeout(patience);
      if (!holding) return;
      holding = false;
      this.#held = false;
      this.#sendSoon();
    };
    const patience = setTimeout(release, PATIENCE);
    return release;
  }
}
