import builtSetup from './built-setup.mjs';

/** Starts the servers of the suite, unless the whole run has started them already. */
export default async function globalSetup(global, project) {
  if (process.env.LYCEUM_TEST_INFRASTRUCTURE) return;
  await builtSetup(global, project);
  const { startInfrastructure } = await import('../dist/start-infrastructure.js');
  const started = await startInfrastructure({ auth: project.globals.lyceumNeedsAuth });
  process.env.LYCEUM_TEST_INFRASTRUCTURE = started.file;
  globalThis.lyceumServers = started;
}
