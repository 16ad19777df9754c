import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Work that comes back, one turn after the other however long one takes. The pauses differ by a quarter either way, so
 * that replicas drift apart; nothing waits for the end of a pause, neither `stop` nor the process. A turn that fails is
 * told, and the next one comes all the same.
 */
export class Recurring {
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  /** @param turn stops early, between two of its steps, once the signal is aborted. */
  constructor(
    private readonly pauseMs: number,
    private readonly turn: (signal: AbortSignal) => Promise<unknown>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** The first turn comes after a pause. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when no turn is running any more. Belongs before the end of what the turns use. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    for (;;) {
      const pause = this.pauseMs * (0.75 + Math.random() / 2);
      await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.turn(signal);
      } catch (error) {
        this.failed(error);
      }
    }
  }
}
