import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Lifecycle } from './lifecycle.js';

/** Settings of all tasks of a service. */
interface TaskSettings {
  /** `off`: schedules stand still. */
  readonly PERIODIC_TASKS: 'on' | 'off';
  /** Milliseconds. */
  readonly QUEUE_PAUSE_MS: number;
  /** The tasks stop with it. */
  readonly lifecycle?: Lifecycle;
  /** Called for each schedule that starts. */
  readonly started?: (schedule: PeriodicTask) => void;
}

const DEFAULTS: TaskSettings = { PERIODIC_TASKS: 'on', QUEUE_PAUSE_MS: Infinity };
const settingsOfStart = new AsyncLocalStorage<TaskSettings>();

/** Starts a service. Each task that starts meanwhile has the settings. */
export function withTaskSettings<T>(settings: TaskSettings, start: () => Promise<T>): Promise<T> {
  return settingsOfStart.run(settings, start);
}

/**
 * A `schedule` looks after rows at its own times. A `queue` takes work that requests leave, and whose result their
 * callers wait for, so it runs with `PERIODIC_TASKS=off`, too.
 */
type TaskKind = 'schedule' | 'queue';

/** Pauses vary by this part, so that replicas spread out. */
const VARIATION = 0.25;
/** Upper limit of the first pause, so that a frequently restarted process still works. */
const FIRST_TURN_MS = 10_000;

/**
 * Runs a task periodically, one turn after the other. The first pause is short and random, later ones vary by a
 * quarter, so that replicas spread out. `stop` and the process do not wait for a pause. A failed turn is reported and
 * the next one runs as usual. When the shutdown of the service begins, no turn starts any more.
 */
export class PeriodicTask {
  readonly #stop = new AbortController();
  #lifecycle = new Lifecycle();
  #running: Promise<void> | undefined;
  #pauseMs: number;
  #succeededAt = 0;

  /**
   * @param name unique in the service, for metrics
   * @param turn stops early, between two of its steps, once the signal is aborted.
   */
  constructor(
    readonly name: string,
    pauseMs: number,
    private readonly turn: (signal: AbortSignal) => Promise<unknown>,
    private readonly failed: (error: unknown) => void,
    private readonly kind: TaskKind = 'schedule',
  ) {
    this.#pauseMs = pauseMs;
  }

  /** The mean pause between two turns. */
  get pauseMs(): number {
    return this.#pauseMs;
  }

  /** Time since a turn should have succeeded, counted from the start before the first one; 0 while none is late. */
  get overdueSeconds(): number {
    const late = performance.now() - this.#succeededAt - this.#pauseMs * (1 + VARIATION);
    return Math.max(0, late) / 1_000;
  }

  /** Schedules the first turn after a random part of a pause, at most `FIRST_TURN_MS`. */
  start(): void {
    const { PERIODIC_TASKS, QUEUE_PAUSE_MS, lifecycle, started } = settingsOfStart.getStore() ?? DEFAULTS;
    if (this.kind === 'schedule' && PERIODIC_TASKS === 'off') return;
    if (this.kind === 'queue') this.#pauseMs = Math.min(this.#pauseMs, QUEUE_PAUSE_MS);
    if (this.#running !== undefined) return;
    if (lifecycle !== undefined) this.#follow(lifecycle);
    this.#succeededAt = performance.now();
    this.#running = this.#run();
    // The turn of a queue lasts while it has work. Queues have metrics of their own.
    if (this.kind === 'schedule') started?.(this);
  }

  /** Aborted when a shutdown waits no longer for what the turns have started. */
  get late(): AbortSignal {
    return this.#lifecycle.late;
  }

  /** Resolves when no turn runs, or when it is late. Call it before stopping the turn's dependencies. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#lifecycle.inTime(Promise.resolve(this.#running));
  }

  #follow(lifecycle: Lifecycle): void {
    this.#lifecycle = lifecycle;
    if (lifecycle.stopping.aborted) this.#stop.abort();
    lifecycle.stopping.addEventListener('abort', () => this.#stop.abort(), { once: true });
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    let pause = Math.min(this.#pauseMs, FIRST_TURN_MS) * Math.random();
    for (;;) {
      await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.turn(signal);
        this.#succeededAt = performance.now();
      } catch (error) {
        this.failed(error);
      }
      pause = this.#pauseMs * (1 - VARIATION + 2 * VARIATION * Math.random());
    }
  }
}
