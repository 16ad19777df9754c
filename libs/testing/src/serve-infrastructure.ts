import { startInfrastructure } from './start-infrastructure.js';

/**
 * Keeps one infrastructure for a whole run of many suites: prints the file for LYCEUM_TEST_INFRASTRUCTURE and runs until
 * its standard input ends, so it cannot outlive whoever started it.
 */
const { file, stop } = await startInfrastructure({ auth: true });
process.stdout.write(`${file}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
for await (const _ of process.stdin);
await stop();
process.exit(0);
