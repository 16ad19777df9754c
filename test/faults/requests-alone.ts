import { join } from 'node:path';
import type { ServiceName } from '@lyceum/contracts';
import { startServiceProcess, untilServiceReady } from '@lyceum/local';
import type { FaultStack } from './fault-stack.ts';

/**
 * Replaces a service by a replica with the role `http`, at the same address: it serves requests and publishes events,
 * and reads no events, runs no jobs and sends no webhooks. Returns a function that brings the service back.
 */
export async function serveRequestsAlone(fault: FaultStack, service: ServiceName): Promise<() => Promise<void>> {
  const { stack, directory } = fault;
  const { managementUrl } = stack.services.find(({ name }) => name === service)!;
  await stack.halt(service);
  const log = join(directory, 'logs', `${service}-requests-alone.log`);
  const child = startServiceProcess(service, stack.environment(service), log, { args: ['serve', '--role=http'] });
  await untilServiceReady(child, managementUrl);
  return async () => {
    await child.stop();
    await stack.start(service);
  };
}
