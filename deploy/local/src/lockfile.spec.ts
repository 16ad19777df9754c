import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE } from './workspace.js';

interface Entry {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * npm leaves the packages of other platforms out of a lockfile when it writes it beside installed packages, and then
 * refuses its own work (`npm ci`: "Missing … from lock file"). Mend: delete the entries of the package, `npm install
 * --package-lock-only`.
 */
it('lists every dependency of a package in the lockfile, also those of other platforms', () => {
  const { packages } = JSON.parse(readFileSync(join(WORKSPACE, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Entry>;
  };
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  const asked = Object.values(packages).flatMap((entry) => [
    ...Object.keys(entry.dependencies ?? {}),
    ...Object.keys(entry.optionalDependencies ?? {}),
  ]);
  expect(asked.length).toBeGreaterThan(500);
  expect(asked.filter((name) => !names.has(name))).toEqual([]);
});
