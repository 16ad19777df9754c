/** The resolution of the database: enough to tell a used client from an idle one. */
const PERIOD_MS = 3_600_000;
/** The number of remembered clients. Beyond it all are forgotten, and each costs one more statement. */
export const REMEMBERED_CLIENTS = 10_000;

/**
 * The clients whose use this process has recorded within the hour, or is recording, so that their next tokens cost no
 * statement for it.
 */
export class RecentUse {
  /** Monotonic milliseconds. */
  readonly #noted = new Map<string, number>();

  isNoted(clientKey: string): boolean {
    const at = this.#noted.get(clientKey);
    return at !== undefined && performance.now() - at < PERIOD_MS;
  }

  note(clientKey: string): void {
    if (this.#noted.size >= REMEMBERED_CLIENTS && !this.#noted.has(clientKey)) this.#noted.clear();
    this.#noted.set(clientKey, performance.now());
  }

  /** Called when the database has not stored the use. */
  forget(clientKey: string): void {
    this.#noted.delete(clientKey);
  }
}
