import pg from 'pg';

/** Called with the seconds that work has waited for a connection. */
export type WaitListener = (seconds: number) => void;

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool that measures how long work waits for a connection. Work that finds an idle one is not measured. */
export class MeasuredPool extends pg.Pool {
  readonly #onWait: WaitListener | undefined;

  constructor(config: pg.PoolConfig & { readonly onWait?: WaitListener } = {}) {
    super(config);
    this.#onWait = config.onWait;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const done = this.#startWait();
    if (callback === undefined) {
      const connected = super.connect();
      if (done !== undefined) void connected.catch(() => undefined).finally(done);
      return connected;
    }
    super.connect((error, client, release) => {
      done?.();
      callback(error, client, release);
    });
    return undefined;
  }

  /** Undefined when a connection is idle for this work. The function ends the measurement. */
  #startWait(): (() => void) | undefined {
    const onWait = this.#onWait;
    if (onWait === undefined || this.idleCount > this.waitingCount) return undefined;
    const began = performance.now();
    return () => onWait((performance.now() - began) / 1_000);
  }
}
