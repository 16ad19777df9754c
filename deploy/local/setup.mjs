/** The first step of `npm start` and `npm test`. Runs on any Node ≥ 20 without installed packages. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stalePackages } from './setup/build.mjs';
import { install, installFault } from './setup/install.mjs';
import { step } from './setup/step.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

try {
  if (Number(process.versions.node.split('.')[0]) < 20)
    throw new Error(`Node ${process.versions.node} is too old: 20 or newer is needed.`);
  if (installFault(root)) await step('install packages', () => install(root));
  const stale = stalePackages(root);
  if (stale.length > 0)
    await step(`build ${stale.length === 1 ? stale[0].name : `${stale.length} packages`}`, () => build(root, stale));
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
