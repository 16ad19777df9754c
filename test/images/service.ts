import type { ServiceName } from '@lyceum/contracts';
import { DATABASES, freePort, runCommand, startChild, untilServiceReady, type Child } from '@lyceum/local';
import type { Infrastructure } from '@lyceum/testing';
import { join } from 'node:path';
import { ROOT, type Made } from './workshop.js';

export const hasDatabase = (service: ServiceName): boolean => service in DATABASES;

/** Runs a word of the service (`migrate`, `help`) as its container would. Returns what it printed. */
export function runWord(image: Made, environment: Readonly<Record<string, string>>, word: string): Promise<string> {
  const [first = '', ...rest] = image.entrypoint;
  return runCommand({ name: word, command: [first, ...rest, word], ...placeOf(image, environment) });
}

/** The bootstrap step of NATS, which any image can run. */
export function runBootstrap(image: Made, { nats }: Pick<Infrastructure, 'nats'>): Promise<string> {
  const environment = { NATS_URL: nats.url, NATS_USER: 'bootstrap', NATS_PASSWORD: nats.passwords['bootstrap'] ?? '' };
  return runCommand({
    name: 'bootstrap',
    command: ['node', 'libs/topology/dist/main.js'],
    ...placeOf(image, environment),
  });
}

/** Starts the service with the entry point and the command of the image, and waits until it is ready. */
export async function startReady(
  image: Made,
  environment: Readonly<Record<string, string>>,
  logFile: string,
): Promise<{ readonly child: Child; readonly managementUrl: string }> {
  const [port, managementPort] = [await freePort(), await freePort()];
  const ports = { PORT: String(port), MANAGEMENT_PORT: String(managementPort) };
  const [first = '', ...rest] = [...image.entrypoint, ...image.command];
  const child = startChild({
    name: 'the installed service',
    command: [first, ...rest],
    stopSignal: 'SIGTERM',
    logFile,
    ...placeOf(image, { ...environment, ...ports }),
  });
  const managementUrl = `http://127.0.0.1:${managementPort}`;
  try {
    await untilServiceReady(child, managementUrl);
  } catch (error) {
    await child.stop();
    throw error;
  }
  return { child, managementUrl };
}

function placeOf(
  { root, workdir, environment }: Made,
  more: Readonly<Record<string, string>>,
): { readonly cwd: string; readonly environment: Record<string, string> } {
  // The base image has Node 24; here it is a package of the workspace.
  const PATH = `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH']}`;
  return { cwd: join(root, workdir), environment: { ...environment, ...more, PATH } };
}
