import { readFileSync } from 'node:fs';
import { INFRASTRUCTURE_VARIABLE, type InfrastructureFacts } from './infrastructure.js';
import { startInfrastructure } from './start-infrastructure.js';
import { prepareTemplates } from './test-database.js';

/**
 * Keeps one infrastructure for many suites: prints the file for LYCEUM_TEST_INFRASTRUCTURE and runs until its standard
 * input ends, so it cannot outlive its parent. `--templates` migrates the databases of all services meanwhile, so that
 * the first suites of a service need not wait for that.
 */
const { file, stop } = await startInfrastructure({ auth: true });
const { auth } = JSON.parse(readFileSync(file, 'utf8')) as InfrastructureFacts;
if ('unavailable' in auth) {
  await stop();
  process.stderr.write(`${auth.unavailable}\n`);
  process.exit(1);
}
process.stdout.write(`${file}\n`);
process.env[INFRASTRUCTURE_VARIABLE] = file;
// A suite that needs the template of a failed migration reports it.
if (process.argv.includes('--templates')) prepareTemplates().catch(() => undefined);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
for await (const _ of process.stdin);
await stop();
process.exit(0);
