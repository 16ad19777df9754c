import type { FaultStack } from './fault-stack.ts';

declare global {
  /** The number of tests of this file that have failed: libs/testing/jest/built-environment.mjs. */
  var lyceumFailedTests: number;
}

/** A stack that scenarios break and restore one after the other. */
export interface Breakable {
  /** Rejects unless the stack is as after its start. */
  checkIntact(): Promise<void>;
  stop(): Promise<void>;
}

/** One stack for all scenarios of a file, because its start takes longer than most of them. */
export class SharedStack<S extends Breakable> {
  readonly #start: () => Promise<S>;
  /** The number of tests of the file that have failed. */
  readonly #failures: () => number;
  #current: S | undefined;
  #isReturned = false;
  #failuresBefore = 0;

  constructor(start: () => Promise<S>, failures = (): number => globalThis.lyceumFailedTests) {
    this.#start = start;
    this.#failures = failures;
  }

  /**
   * Begins a scenario. Returns the stack of the scenario before if all its tests passed and it gave the stack back, and
   * a new stack otherwise.
   */
  async take(): Promise<S> {
    const failures = this.#failures();
    if (!this.#isReturned || failures !== this.#failuresBefore) await this.stop().catch(() => undefined);
    this.#isReturned = false;
    this.#failuresBefore = failures;
    this.#current ??= await this.#start();
    return this.#current;
  }

  /**
   * The last test of a scenario. Rejects unless the stack is as the scenario found it, so that a scenario that leaves
   * something behind fails itself.
   */
  async giveBack(): Promise<void> {
    if (this.#current === undefined) throw new Error('No scenario has taken the stack');
    await this.#current.checkIntact();
    this.#isReturned = true;
  }

  async stop(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    await current?.stop();
  }
}

export type SharedFaultStack = SharedStack<FaultStack>;

/** The limit of a hook that takes the stack, which may start a new one on a busy machine. */
export const TAKE_MS = 600_000;
