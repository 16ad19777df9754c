import type { Exit } from './child.js';

/** A process of the stack while it runs. */
export interface Running {
  readonly pid: number | undefined;
  readonly logFile: string;
  readonly exited: Promise<Exit>;
  stop(): Promise<unknown>;
  kill(): Promise<unknown>;
}

export interface Death extends Exit {
  readonly name: string;
  readonly logFile: string;
}

export interface PartDefinition<R extends Running> {
  readonly name: string;
  launch(): Promise<R> | R;
  /** Waits until it does its work. It can be ended while we wait. */
  untilReady?(running: R): Promise<void>;
  /** True if the part ended without a stop. */
  onDeath(death: Death): void;
}

/** A part of the stack that can be stopped and restarted, and that reports an unexpected end. */
export class Part<R extends Running = Running> {
  private running: R | undefined;

  constructor(private readonly definition: PartDefinition<R>) {}

  get current(): R {
    if (!this.running) throw new Error(`${this.definition.name} does not run`);
    return this.running;
  }

  get pid(): number | undefined {
    return this.running?.pid;
  }

  /** Returns when it is ready. */
  async start(): Promise<void> {
    if (this.running) return;
    const started = await this.definition.launch();
    this.running = started;
    void started.exited.then((exit) => {
      if (this.running !== started) return;
      this.running = undefined;
      this.definition.onDeath({ ...exit, name: this.definition.name, logFile: started.logFile });
    });
    await this.definition.untilReady?.(started);
  }

  /** Stops in order. */
  async stop(): Promise<void> {
    const ending = this.forget();
    await ending?.stop();
  }

  /** Sends SIGKILL. */
  async kill(): Promise<void> {
    const ending = this.forget();
    await ending?.kill();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Marks its end as expected. */
  private forget(): R | undefined {
    const ending = this.running;
    this.running = undefined;
    return ending;
  }
}
