import { buildDirectly, stalePackages } from '@lyceum/local/build';

const root = new URL('../../../', import.meta.url).pathname.replace(/\/$/, '');

/** Starts what the suite needs, unless a whole run has started it already. Servers are made from `dist`, so that is made first. */
export default async function globalSetup(_global, project) {
  if (process.env.LYCEUM_TEST_INFRASTRUCTURE) return;
  for (const stale of stalePackages(root)) {
    // A package that does not compile must not hold up the suites of the others; its own suite will say so.
    await buildDirectly(root, [stale]).catch((error) => process.stderr.write(`${error.message}\n`));
  }
  const { startInfrastructure } = await import('../dist/start-infrastructure.js');
  const started = await startInfrastructure({ auth: project.globals.lyceumNeedsAuth });
  process.env.LYCEUM_TEST_INFRASTRUCTURE = started.file;
  globalThis.lyceumInfrastructure = started;
}
