import { dirname } from 'node:path';
import { buildDirectly, stalePackages } from './build.mjs';

const NEEDED = ['@lyceum/contracts', '@lyceum/errors', '@lyceum/local'];

/** Some of the tests here kill a process that runs the built code. */
export default async function globalSetup() {
  const root = dirname(dirname(dirname(import.meta.dirname)));
  await buildDirectly(
    root,
    stalePackages(root).filter(({ name }) => NEEDED.includes(name)),
  );
}
