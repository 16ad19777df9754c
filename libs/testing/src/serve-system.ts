import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSystem, type StartedSystem } from './start-system.js';

/**
 * Keeps one stack for the groups of system suites of a run: prints the URL for LYCEUM_TEST_SYSTEM. The first request
 * starts the stack, so that a run with all results from the cache starts none. Each response is the file for
 * LYCEUM_TEST_STACK. Runs until its standard input ends, so it cannot outlive its parent.
 */
let system: Promise<StartedSystem> | undefined;
const server = createServer((_request, response) => {
  system ??= startSystem();
  system.then(
    ({ file }) => response.end(file),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
for await (const _ of process.stdin);
await system?.then(
  ({ stop }) => stop(),
  () => undefined,
);
process.exit(0);
