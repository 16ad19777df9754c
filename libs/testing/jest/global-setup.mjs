import { buildForSuite } from '@lyceum/local/build';
import { dirname } from 'node:path';

const root = dirname(dirname(dirname(import.meta.dirname)));

/** Starts the servers of the suite, unless the whole run has started them already. */
export default async function globalSetup(_global, project) {
  if (process.env.LYCEUM_TEST_INFRASTRUCTURE) return;
  await buildForSuite(root);
  const { startInfrastructure } = await import('../dist/start-infrastructure.js');
  const started = await startInfrastructure({ auth: project.globals.lyceumNeedsAuth });
  process.env.LYCEUM_TEST_INFRASTRUCTURE = started.file;
  globalThis.lyceumServers = started;
}
