import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectForBootstrap } from './connect.js';
import type { BootstrapSettings } from './connect.js';
import { ensureTopology } from './ensure-topology.js';
import type { Changes } from './ensure-topology.js';

export interface SupervisorListener {
  changed(changes: Changes): void;
  /** Called once for each new reason, not for each attempt. */
  failed(error: Error): void;
}

/** Repeats the bootstrap step until it is stopped, so that a deleted stream is restored after one interval. */
export class TopologySupervisor {
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(settings: BootstrapSettings, listener: SupervisorListener, intervalMs = 2_000) {
    this.#running = this.#run(settings, listener, intervalMs);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(settings: BootstrapSettings, listener: SupervisorListener, intervalMs: number): Promise<void> {
    const { signal } = this.#stop;
    let connection: NatsConnection | undefined;
    let fault = '';
    while (!signal.aborted) {
      try {
        if (connection?.isClosed() !== false) connection = await connectForBootstrap(settings);
        const changes = await ensureTopology(connection, settings.replicas);
        fault = '';
        if (changes.length > 0) listener.changed(changes);
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error));
        if (failure.message !== fault && !signal.aborted) listener.failed(failure);
        fault = failure.message;
        await connection?.close().catch(() => undefined);
      }
      await sleep(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await connection?.close();
  }
}
