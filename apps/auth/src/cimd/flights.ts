interface Flight<T> {
  readonly result: Promise<T>;
  /** Failures are remembered until then; infinite while under way. */
  until: number;
}

const FAILURE_MS = 60_000;
const MOST = 1_000;

/**
 * One question at a time for each key, and none for a minute after a failure: whoever comes meanwhile gets the same
 * answer. Bounded; when it is full the oldest is forgotten.
 */
export class Flights<T> {
  readonly #flights = new Map<string, Flight<T>>();

  constructor(
    private readonly isFailure: (answer: T) => boolean,
    private readonly now: () => number = Date.now,
  ) {}

  fly(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#flights.get(key);
    if (known !== undefined && known.until > this.now()) return known.result;
    this.#flights.delete(key);
    const [oldest] = this.#flights.keys();
    if (this.#flights.size >= MOST && oldest !== undefined) this.#flights.delete(oldest);
    const flight: Flight<T> = { result: ask(), until: Number.POSITIVE_INFINITY };
    this.#flights.set(key, flight);
    flight.result.then(
      (answer) => {
        if (this.isFailure(answer)) flight.until = this.now() + FAILURE_MS;
        else this.#forget(key, flight);
      },
      () => this.#forget(key, flight),
    );
    return flight.result;
  }

  #forget(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
