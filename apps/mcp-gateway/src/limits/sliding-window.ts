/** Largest number of counted keys; above it the oldest are dropped. */
const MAX_KEYS = 50_000;

/**
 * Sliding window counter: the previous window counts by the fraction that is younger than a window. Two numbers per
 * key, for at most twice `MAX_KEYS` keys.
 */
export class SlidingWindow {
  readonly #windowMs: number;
  readonly #now: () => number;
  #window = 0;
  #current = new Map<string, number>();
  #previous = new Map<string, number>();

  constructor(windowMs: number, now: () => number = Date.now) {
    this.#windowMs = windowMs;
    this.#now = now;
  }

  add(key: string, count: number): void {
    this.#roll();
    this.#current.set(key, (this.#current.get(key) ?? 0) + count);
    if (this.#current.size <= MAX_KEYS) return;
    const oldest = this.#current.keys().next();
    if (oldest.done !== true) this.#current.delete(oldest.value);
  }

  /** The count within one window until now. */
  count(key: string): number {
    this.#roll();
    return (this.#previous.get(key) ?? 0) * (1 - this.#progress()) + (this.#current.get(key) ?? 0);
  }

  /** Seconds until at most `target` is counted without further messages: at least 1. */
  secondsUntil(key: string, target: number): number {
    this.#roll();
    const previous = this.#previous.get(key) ?? 0;
    const current = this.#current.get(key) ?? 0;
    // During this window only the previous count shrinks; in the next one the current count does.
    const windows = current <= target ? 1 - (target - current) / previous : 2 - target / current;
    return Math.max(1, Math.ceil(((windows - this.#progress()) * this.#windowMs) / 1000));
  }

  #progress(): number {
    return (this.#now() % this.#windowMs) / this.#windowMs;
  }

  #roll(): void {
    const window = Math.floor(this.#now() / this.#windowMs);
    if (window === this.#window) return;
    this.#previous = window === this.#window + 1 ? this.#current : new Map<string, number>();
    this.#current = new Map();
    this.#window = window;
  }
}
