/** Runs at most `running` tasks at once and lets `waiting` more queue in order. */
export class Limiter {
  readonly #running: number;
  readonly #waiting: number;
  readonly #queue: (() => Promise<void>)[] = [];
  #active = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(limits: { running: number; waiting: number }) {
    this.#running = limits.running;
    this.#waiting = limits.waiting;
  }

  get active(): number {
    return this.#active;
  }

  /** Returns false when the queue is full. The task must not reject. */
  run(task: () => Promise<void>): boolean {
    if (this.#active < this.#running) {
      this.#start(task);
      return true;
    }
    if (this.#queue.length >= this.#waiting) return false;
    this.#queue.push(task);
    return true;
  }

  /** Resolves when no task runs or waits. */
  idle(): Promise<void> {
    if (this.#active === 0) return Promise.resolve();
    this.#idle ??= Promise.withResolvers<void>();
    return this.#idle.promise;
  }

  #start(task: () => Promise<void>): void {
    this.#active += 1;
    void task().finally(() => {
      this.#active -= 1;
      const next = this.#queue.shift();
      if (next !== undefined) this.#start(next);
      else if (this.#active === 0) {
        this.#idle?.resolve();
        this.#idle = undefined;
      }
    });
  }
}
