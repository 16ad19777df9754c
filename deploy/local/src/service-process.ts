import type { ServiceName } from '@lyceum/contracts';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand, startChild, type Child } from './child.js';
import { entryPoint, NODE, WORKSPACE } from './workspace.js';

/**
 * Node flags of a service, here and in docker/Dockerfile (docs/adr/0015-garbage-collection.md). The heap grows by two
 * fifths of its live size, the young generation stays small, and no object is allocated in the old generation, because
 * objects of requests are short-lived.
 */
export const SERVICE_FLAGS = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=40',
  '--no-allocation-site-pretenuring',
  '--import=@lyceum/platform/source-maps',
] as const;

/**
 * Node keeps compiled code here from one start to the next. A command of a service would keep less code than a start
 * needs, so `npm start` gives its commands none.
 */
const COMPILED = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(WORKSPACE, '.lyceum/compiled') };

interface ServiceProcessOptions {
  /** The folder of a release; this repository unless given. */
  readonly root?: string;
  /** Arguments of the service, such as `serve --role=http`. */
  readonly args?: readonly string[];
}

/** Starts a service as a process. It is not ready yet: see `untilServiceReady`. */
export function startServiceProcess(
  service: ServiceName,
  environment: Record<string, string>,
  logFile: string,
  { root = WORKSPACE, args = [] }: ServiceProcessOptions = {},
): Child {
  return startChild({
    name: service,
    command: [NODE, ...SERVICE_FLAGS, entryPoint(service, root), ...args],
    environment: { ...COMPILED, ...environment },
    cwd: root,
    stopSignal: 'SIGTERM',
    logFile,
  });
}

/** Runs a subcommand (`migrate`, `apply <file>`) of a service to its end; what it printed. */
export function runServiceCommand(
  service: ServiceName,
  environment: Record<string, string>,
  ...args: string[]
): Promise<string> {
  return runReleaseCommand(WORKSPACE, service, environment, args);
}

/** … of the release in the folder `root`. */
export function runReleaseCommand(
  root: string,
  service: ServiceName,
  environment: Record<string, string>,
  args: readonly string[],
): Promise<string> {
  return runCommand({
    name: `${service} ${args[0] ?? ''}`,
    command: [NODE, ...SERVICE_FLAGS, entryPoint(service, root), ...args],
    environment,
    cwd: root,
  });
}

/** Waits until /readyz answers 200. Ends at once when the process dies, and says what its log says. */
export async function untilServiceReady(child: Child, managementUrl: string, patience = 60_000): Promise<void> {
  const until = Date.now() + patience;
  let last = 'no answer';
  while (child.running && Date.now() < until) {
    try {
      const response = await fetch(`${managementUrl}/readyz`, { signal: AbortSignal.timeout(3_000) });
      const body = await response.text();
      if (response.ok) return;
      last = `${response.status} ${body}`;
    } catch (error) {
      last = String((error as Error).cause ?? error);
    }
    await sleep(50);
  }
  const what = child.running ? `is not ready after ${patience / 1000} s (${last})` : 'ended while it was starting';
  throw new Error(`${child.name} ${what}. The end of ${child.logFile}:\n${child.tail()}`);
}
