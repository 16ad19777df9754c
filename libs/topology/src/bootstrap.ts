import { setTimeout as sleep } from 'node:timers/promises';
import { connectForBootstrap } from './connect.js';
import type { BootstrapSettings } from './connect.js';
import { ensureTopology } from './ensure-topology.js';
import type { Changes } from './ensure-topology.js';

const RETRY_MS = 500;

/** Runs the step once. Retries for `patience` milliseconds, because a cluster may still elect its leaders. */
export async function bootstrap(settings: BootstrapSettings, patience = 60_000): Promise<Changes> {
  const end = Date.now() + patience;
  for (;;) {
    try {
      const connection = await connectForBootstrap(settings);
      try {
        return await ensureTopology(connection, settings.replicas);
      } finally {
        await connection.close();
      }
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(RETRY_MS);
    }
  }
}
