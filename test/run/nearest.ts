import { basename, dirname } from 'node:path';

/** Suites of a change in one package. */
export interface NearestSuites {
  /** Folder of the package, relative to the root. */
  readonly directory: string;
  /** Relative to the root. */
  readonly suites: readonly string[];
}

/** The matrix of all collections. A change of one resource needs the part about that resource only. */
export const MATRIX = 'apps/admin-api/test/collections.spec.ts';

/**
 * Returns the suites of each package that lie nearest to the changed files (paths relative to the root): the changed
 * suites, those beside a changed file or named after its folder, and those that import a changed helper of tests.
 */
export function nearestSuites(
  changed: readonly string[],
  suites: readonly string[],
  read: (suite: string) => string,
): NearestSuites[] {
  const near = suites.filter((suite) => suite !== MATRIX && changed.some((file) => isNear(suite, file, read)));
  const directories = [...new Set(near.map(packageOf))];
  return directories.map((directory) => ({
    directory,
    suites: near.filter((suite) => packageOf(suite) === directory),
  }));
}

/** The names of tests in the matrix that are about the changed resources, as a pattern for Jest. */
export function matrixPattern(changed: readonly string[]): string | undefined {
  const home = packageOf(MATRIX);
  const features = changed
    .filter((file) => packageOf(file) === home)
    .flatMap((file) => /\/src\/([^/]+)\//.exec(file)?.[1] ?? []);
  const words = new Set(features.map((feature) => feature.replace(/^.*-|(?:ies|s)$/g, '')));
  return words.size === 0 ? undefined : `^[a-z_/]*(${[...words].toSorted().join('|')})`;
}

function isNear(suite: string, file: string, read: (suite: string) => string): boolean {
  if (suite === file) return true;
  const home = packageOf(file);
  if (packageOf(suite) !== home || file.endsWith('.spec.ts')) return false;
  const source = /^src\/(?:(.+?)\/)?/.exec(file.slice(home.length + 1));
  if (source === null) return read(suite).includes(`/${basename(file).replace(/\.ts$/, '.js')}'`);
  const [, folder] = source;
  if (folder === undefined) return isNamedAfter(suite, basename(file).split('.')[0]!);
  return `${dirname(suite)}/`.startsWith(`${home}/src/${folder}/`) || isNamedAfter(suite, folder);
}

/** True for `course-plans.spec.ts` and the name `plans`. */
function isNamedAfter(suite: string, name: string): boolean {
  const words = `-${basename(suite).split('.')[0]}-`;
  return words.includes(`-${name}-`) || words.includes(`-${singularOf(name)}-`);
}

function singularOf(name: string): string {
  return name.replace(/ies$/, 'y').replace(/s$/, '');
}

/** `apps/auth`, `libs/rest`, `deploy/local`, `tools/nx`, `test`. */
function packageOf(file: string): string {
  const [parent = '', name = ''] = file.split('/');
  return parent === 'test' ? parent : `${parent}/${name}`;
}
