import { buildForSuite, stalePackages } from '@lyceum/local/build';
import { dirname } from 'node:path';

const root = dirname(dirname(dirname(import.meta.dirname)));

/** Starts the servers of the suite, unless the whole run has started them already. */
export default async function globalSetup(_global, project) {
  if (process.env.LYCEUM_TEST_INFRASTRUCTURE) return;
  await buildForSuite(root);
  if (project.testEnvironment.endsWith('built-environment.mjs')) requireBuilds();
  const { startInfrastructure } = await import('../dist/start-infrastructure.js');
  const started = await startInfrastructure({ auth: project.globals.lyceumNeedsAuth });
  process.env.LYCEUM_TEST_INFRASTRUCTURE = started.file;
  globalThis.lyceumServers = started;
}

/** Suites that run what is built would pass with an old build of a package that does not compile. */
function requireBuilds() {
  if (process.env.NX_TASK_TARGET_PROJECT) return;
  const stale = stalePackages(root).map(({ name }) => name);
  if (stale.length > 0) throw new Error(`Not built: ${stale.join(', ')}`);
}
