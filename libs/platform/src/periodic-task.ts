import { setTimeout as sleep } from 'node:timers/promises';

/** The first turn comes within this time, so that a process that restarts often still does its turns. */
const FIRST_TURN_MS = 10_000;

/**
 * Runs work repeatedly, one turn after the other however long one takes. The first pause is short and random, later ones
 * differ by a quarter either way, so that replicas drift apart. `stop` and the process do not wait for the end of a pause.
 * A turn that fails is reported, and the next one comes all the same.
 */
export class PeriodicTask {
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  /** @param turn stops early, between two of its steps, once the signal is aborted. */
  constructor(
    private readonly pauseMs: number,
    private readonly turn: (signal: AbortSignal) => Promise<unknown>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** The first turn comes after a random part of a pause, at most `FIRST_TURN_MS`. */
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
    let pause = Math.min(this.pauseMs, FIRST_TURN_MS) * Math.random();
    for (;;) {
      await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.turn(signal);
      } catch (error) {
        this.failed(error);
      }
      pause = this.pauseMs * (0.75 + Math.random() / 2);
    }
  }
}
