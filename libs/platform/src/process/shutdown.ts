import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ServiceConfiguration } from '../configuration/environment.js';
import type { HealthRegistry } from '../telemetry/health.js';
import type { Lifecycle } from './lifecycle.js';
import type { Logger } from './logger.js';

/** Share of the time limit for open requests; the rest is for the hooks that stop consumers and pools. */
const REQUESTS_SHARE = 0.75;
/** Connections become idle one by one; Node closes only those that are idle at the start. */
const SWEEP_MS = 50;

/**
 * Shuts down without failing a request. `/readyz` fails and streams are signaled to end. After SHUTDOWN_DELAY_MS the
 * listener and idle connections close. Open requests have three quarters of SHUTDOWN_TIMEOUT_MS. Nest's shutdown hooks
 * run afterwards.
 */
export async function drain(
  service: { app: NestFastifyApplication; health: HealthRegistry; lifecycle: Lifecycle },
  config: ServiceConfiguration,
  logger: Logger,
): Promise<void> {
  service.health.draining();
  service.lifecycle.stop();
  if (config.SHUTDOWN_DELAY_MS > 0) await sleep(config.SHUTDOWN_DELAY_MS);
  const server: Server = service.app.getHttpServer();
  const limit = new AbortController();
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const closed = new Promise<true>((resolve) => {
    server.close(() => {
      clearInterval(sweep);
      resolve(true);
    });
  });
  const late = sleep(config.SHUTDOWN_TIMEOUT_MS * REQUESTS_SHARE, false as const, { signal: limit.signal }).catch(
    () => false as const,
  );
  if (await Promise.race([closed, late])) {
    limit.abort();
    return;
  }
  logger.warn('open requests were cut off at the end of the shutdown time');
  server.closeAllConnections();
  await closed;
}
