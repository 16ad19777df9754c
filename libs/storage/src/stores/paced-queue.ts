import { setTimeout as sleep } from 'node:timers/promises';

type Work = () => Promise<void>;

interface Pace {
  /** The part of the time that work takes, above 0 and up to 1. The rest is left to others. */
  readonly share: number;
  /** Milliseconds of the longest rest. */
  readonly longestRest: number;
}

/**
 * Does one piece of work at a time, in the order of the calls, with a rest after each. A sender whose pieces wait is
 * slowed down by its connection, and a slow sender keeps no other one waiting.
 */
export class PacedQueue {
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;

  constructor(private readonly pace: Pace) {}

  async run(work: Work): Promise<void> {
    if (this.#isBusy) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      await promise;
    }
    this.#isBusy = true;
    const began = performance.now();
    try {
      await work();
    } finally {
      void this.#rest(performance.now() - began);
    }
  }

  async #rest(worked: number): Promise<void> {
    const { share, longestRest } = this.pace;
    await sleep(Math.min(longestRest, (worked * (1 - share)) / share));
    const next = this.#waiting.shift();
    if (next === undefined) this.#isBusy = false;
    else next();
  }
}
