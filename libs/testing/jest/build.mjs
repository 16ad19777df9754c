import { buildDirectly, stalePackages } from '@lyceum/local/build';
import { dirname } from 'node:path';

const root = dirname(dirname(dirname(import.meta.dirname)));

/** Servers are made from `dist`, so that is made first. */
export async function build() {
  for (const stale of stalePackages(root)) {
    // A package that does not compile must not hold up the suites of the others; its own suite will say so.
    await buildDirectly(root, [stale]).catch((error) => process.stderr.write(`${error.message}\n`));
  }
}
