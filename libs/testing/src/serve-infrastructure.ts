import { readFileSync } from 'node:fs';
import type { InfrastructureFacts } from './infrastructure.js';
import { startInfrastructure } from './start-infrastructure.js';

/**
 * Keeps one infrastructure for many suites: prints the file for LYCEUM_TEST_INFRASTRUCTURE and runs until its standard
 * input ends, so it cannot outlive its parent.
 */
const { file, stop } = await startInfrastructure({ auth: true });
const { auth } = JSON.parse(readFileSync(file, 'utf8')) as InfrastructureFacts;
if ('unavailable' in auth) {
  await stop();
  process.stderr.write(`${auth.unavailable}\n`);
  process.exit(1);
}
process.stdout.write(`${file}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
for await (const _ of process.stdin);
await stop();
process.exit(0);
