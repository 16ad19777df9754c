/**
 * The first step of `npm start` and `npm test`. Runs on any Node ≥ 20 without installed packages. `--start` leaves out
 * the packages of tests and checks, and builds without Nx, which is one of them.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, compileAll, staleParts } from './setup/build.mjs';
import { install, installFault } from './setup/install.mjs';
import { platformFault } from './setup/servers.mjs';
import { step } from './setup/step.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const starts = process.argv.includes('--start');
// A clone that has the packages of tests keeps them.
const extent = starts && !existsSync(join(root, 'node_modules/nx')) ? 'start' : 'all';
/** Documents that a service reads. Tests alone read the others. */
const SERVED = ['@lyceum/admin-api:documents'];

function buildTitle(stale) {
  if (stale.length === 0) return 'write documents and bundles';
  return `build ${stale.length === 1 ? stale[0].name : `${stale.length} packages`}`;
}

try {
  if (Number(process.versions.node.split('.')[0]) < 20)
    throw new Error(`Node ${process.versions.node} is too old: 20 or newer is needed.`);
  const unsupported = platformFault(root);
  if (unsupported) throw new Error(unsupported);
  if (installFault(root, extent)) await step('install packages', () => install(root, extent));
  const { packages: stale, documents: all, bundles } = staleParts(root);
  const documents = all.filter(({ name }) => !starts || SERVED.includes(name));
  if (stale.length > 0 || documents.length > 0 || bundles.length > 0)
    await step(buildTitle(stale), () => (starts ? compileAll : build)(root, stale, documents, bundles));
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
