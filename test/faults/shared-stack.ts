import { FaultStack } from './fault-stack.ts';

/** A stack that scenarios break one after the other. */
export interface Breakable {
  /** Rejects when it cannot be repaired. */
  repair(): Promise<void>;
  stop(): Promise<void>;
}

/** One stack for all scenarios of a file, because its start takes longer than most of them. */
export class SharedStack<S extends Breakable> {
  readonly #start: () => Promise<S>;
  #current: S | undefined;

  constructor(start: () => Promise<S>) {
    this.#start = start;
  }

  /**
   * The stack as the scenario before left it, after its repair. A new one when that fails.
   *
   * @param view What the scenario needs of the stack, which is repaired.
   */
  async take(view: (stack: S) => S = (stack) => stack): Promise<S> {
    if (this.#current !== undefined) {
      const taken = view(this.#current);
      try {
        await taken.repair();
        return taken;
      } catch (error) {
        process.stdout.write(`    another stack, because the repair failed: ${String(error).slice(0, 300)}\n`);
        await this.stop().catch(() => undefined);
      }
    }
    this.#current = await this.#start();
    return view(this.#current);
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

export function sharedFaultStack(): SharedFaultStack {
  return new SharedStack(() => FaultStack.start(true));
}
