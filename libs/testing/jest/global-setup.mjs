import { build } from './build.mjs';

/** Starts what the suite needs, unless a whole run has started it already. */
export default async function globalSetup(_global, project) {
  if (process.env.LYCEUM_TEST_INFRASTRUCTURE) return;
  await build();
  const { startInfrastructure } = await import('../dist/start-infrastructure.js');
  const started = await startInfrastructure({ auth: project.globals.lyceumNeedsAuth });
  process.env.LYCEUM_TEST_INFRASTRUCTURE = started.file;
  globalThis.lyceumServers = started;
}
