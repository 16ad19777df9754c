import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ServiceConfiguration } from '../configuration/environment.js';
import type { HealthRegistry } from '../telemetry/health.js';
import type { Lifecycle } from './lifecycle.js';
import type { Logger } from './logger.js';

/** Share of the time limit for open requests and running work; the rest is for the hooks that stop pools. */
const WORK_SHARE = 0.75;
/** Connections become idle one by one; Node closes only those that are idle at the start. */
const SWEEP_MS = 50;

/** Milliseconds that running work has after the delay of a shutdown: three quarters of SHUTDOWN_TIMEOUT_MS. */
export function workTime({ SHUTDOWN_TIMEOUT_MS }: ServiceConfiguration): number {
  return SHUTDOWN_TIMEOUT_MS * WORK_SHARE;
}

/**
 * Shuts down without failing a request. `/readyz` fails, streams are signaled to end, and work in the background stops.
 * After SHUTDOWN_DELAY_MS the listener and idle connections close. Open requests have three quarters of
 * SHUTDOWN_TIMEOUT_MS. Nest's shutdown hooks run afterwards.
 */
export async function drain(
  service: { app: NestFastifyApplication; health: HealthRegistry; lifecycle: Lifecycle },
  config: ServiceConfiguration,
  logger: Logger,
): Promise<void> {
  const { late } = service.lifecycle;
  service.health.draining();
  service.lifecycle.stop(config.SHUTDOWN_DELAY_MS + workTime(config));
  if (config.SHUTDOWN_DELAY_MS > 0) await sleep(config.SHUTDOWN_DELAY_MS);
  const server: Server = service.app.getHttpServer();
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      clearInterval(sweep);
      resolve();
    });
  });
  await service.lifecycle.inTime(closed);
  if (!late.aborted) return;
  logger.warn('open requests were cut off at the end of the shutdown time');
  server.closeAllConnections();
  await closed;
}
