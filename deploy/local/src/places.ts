/** The places for requests that run at one replica at the same time. A request waits a while when all are taken. */
export class Places {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(
    places: number,
    private readonly waitMs: number,
  ) {
    this.#free = places;
  }

  /** Returns false when no place becomes free in time, or the request ends before. */
  take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const end = (taken: boolean): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        this.#waiting.delete(grant);
        resolve(taken);
      };
      const grant = (): void => end(true);
      const giveUp = (): void => end(false);
      const timer = setTimeout(giveUp, this.waitMs);
      signal.addEventListener('abort', giveUp);
      this.#waiting.add(grant);
    });
  }

  /** Gives a taken place to the request that has waited longest. */
  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else next();
  }
}
