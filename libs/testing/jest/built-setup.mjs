import { buildForSuite, staleForSuite } from '@lyceum/local/build';
import { dirname } from 'node:path';

const root = dirname(dirname(dirname(import.meta.dirname)));

/** Builds what has changed. A suite that runs what is built would pass with an old build of a package that fails. */
export default async function builtSetup(_global, { testEnvironment }) {
  await buildForSuite(root);
  if (process.env.NX_TASK_TARGET_PROJECT || !testEnvironment.endsWith('built-environment.mjs')) return;
  const stale = staleForSuite(root).map(({ name }) => name);
  if (stale.length > 0) throw new Error(`Not built: ${stale.join(', ')}`);
}
