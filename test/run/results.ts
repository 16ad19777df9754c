import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENTS_TARGET, planClients } from './foreign-clients.ts';
import type { SuiteTests } from './skips.ts';

/** A package that has suites, or one group of its suites. */
export interface TestPackage {
  readonly name: string;
  /** Relative to the root. */
  readonly directory: string;
  /** The Nx target and the folders of a group, relative to the package. */
  readonly group?: { readonly target: string; readonly folders: readonly string[] };
}

/** A test that failed, with the first line of its message. */
export interface FailedTest {
  readonly name: string;
  readonly message: string;
}

/** A suite with a failed test, one that failed outside of its tests, or one without a result. */
export interface FailedSuite {
  /** Relative to the root. */
  readonly suite: string;
  /** Empty when no test of the suite failed, but the suite. */
  readonly tests: readonly FailedTest[];
  readonly message: string;
}

export interface PackageResult {
  readonly passed: number;
  readonly failed: number;
  readonly suites: readonly SuiteTests[];
  readonly failures: readonly FailedSuite[];
}

interface JestSuite {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages?: readonly string[];
  }[];
}

/** The message of a suite that has no result. The output of the command has the reason. */
export const NO_RESULT = 'The suite has no result: Jest ended before it finished.';

/** The name of a package; that of a group is `<package>-browser` for the target `test-browser`. */
export function nameOf({ name, group }: TestPackage): string {
  return `${name}${group?.target.replace(/^test/, '') ?? ''}`;
}

/** The output of the Nx target. */
export function resultFile(root: string, tested: TestPackage): string {
  return join(root, '.lyceum/tests', `${nameOf(tested)}.json`);
}

/**
 * Every package with a `test` script: each must have results. A package with scripts as `test-browser` has a group for
 * each, with results of its own.
 */
export function testPackages(root: string): TestPackage[] {
  const manifests = globSync(['{apps,libs,deploy,tools}/*/package.json', 'test/package.json'], {
    cwd: root,
  }).toSorted();
  return manifests.flatMap((file) => {
    const { name, scripts } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
      name: string;
      scripts?: Record<string, string>;
    };
    if (scripts?.['test'] === undefined) return [];
    const directory = file.replace('/package.json', '');
    const groups = Object.entries(scripts).filter(([target]) => target.startsWith('test-'));
    if (groups.length === 0) return [{ name, directory }];
    return groups.map(([target, script]) => {
      const folders = [...script.matchAll(/ \.\/(\S+\/)/g)].map(([, folder = '']) => folder);
      return { name, directory, group: { target, folders } };
    });
  });
}

/** The name in the lines of a run. */
export function titleOf({ directory, group }: TestPackage): string {
  return group === undefined ? directory : `${directory} (${group.target})`;
}

/** The suites of a package or group, relative to the root. */
export function listSuites(root: string, { directory, group }: TestPackage): string[] {
  const exclude = (path: string): boolean => /(^|\/)(node_modules|dist|fixtures)$/.test(path);
  return (group?.folders ?? ['']).flatMap((folder) =>
    globSync(`${folder}**/*.spec.ts`, { cwd: join(root, directory), exclude }).map((suite) => `${directory}/${suite}`),
  );
}

/** The suites that a run must have results of. */
export function dueSuites(root: string, tested: TestPackage): string[] {
  const leftOut = tested.group?.target === CLIENTS_TARGET ? planClients(root).leftOut : [];
  return listSuites(root, tested).filter((suite) => !leftOut.includes(suite));
}

/** The results of a package. `secondRuns`: files with results of suites that ran again; they replace the first ones. */
export function readResult(root: string, tested: TestPackage, secondRuns: readonly string[] = []): PackageResult {
  const first = readSuites(resultFile(root, tested));
  const newer = new Map(secondRuns.flatMap(readSuites).map((suite) => [pathOf(suite.name, tested), suite]));
  const missing = dueSuites(root, tested)
    .filter((suite) => first.every(({ name }) => pathOf(name, tested) !== suite))
    .map((suite) => ({ name: join(root, suite), status: 'failed', message: NO_RESULT, assertionResults: [] }));
  const results = [...first, ...missing].map((suite: JestSuite) => newer.get(pathOf(suite.name, tested)) ?? suite);
  if (results.length === 0) {
    const none = { suite: tested.directory, tests: [], message: `${tested.name} has no tests` };
    return { passed: 0, failed: 1, suites: [], failures: [none] };
  }
  const tests = results.flatMap(({ assertionResults }) => assertionResults);
  const failures = results
    .filter(({ status }) => status === 'failed')
    .map((suite): FailedSuite => ({
      suite: pathOf(suite.name, tested),
      tests: suite.assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => ({ name: fullName, message: firstLine(failureMessages?.[0] ?? '') })),
      message: suite.message,
    }));
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failures.reduce((sum, failure) => sum + Math.max(failure.tests.length, 1), 0),
    suites: results.map(({ name, assertionResults }) => ({
      suite: pathOf(name, tested),
      tests: assertionResults.map(({ fullName, status }) => ({ name: fullName, status })),
    })),
    failures,
  };
}

/** Without colors. */
export function firstLine(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const plain = text.replaceAll(/\u001B\[[\d;]*m/g, '').trimStart();
  return plain.split('\n', 1)[0] ?? '';
}

/** Relative to the root. Results from the cache have the absolute paths of the clone that ran the suites. */
function pathOf(suite: string, { directory }: TestPackage): string {
  return suite.slice(suite.lastIndexOf(`/${directory}/`) + 1);
}

/** The suites of a file of results. Jest writes no file when it ends early. */
function readSuites(file: string): JestSuite[] {
  if (!existsSync(file)) return [];
  return (JSON.parse(readFileSync(file, 'utf8')) as { testResults: JestSuite[] }).testResults;
}
