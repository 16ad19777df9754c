import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteTests } from './skips.ts';

/** A package that has suites. */
export interface TestPackage {
  readonly name: string;
  /** Relative to the root. */
  readonly directory: string;
}

export interface PackageResult {
  readonly passed: number;
  readonly failed: number;
  readonly faults: readonly string[];
  readonly suites: readonly SuiteTests[];
}

interface JestResults {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** The output of the Nx target `test`. */
export function resultFile(root: string, { name }: TestPackage): string {
  return join(root, '.lyceum/tests', `${name}.json`);
}

/** Every package with a `test` script: each must have results. */
export function testPackages(root: string): TestPackage[] {
  const manifests = globSync(['{apps,libs,deploy,tools}/*/package.json', 'test/package.json'], {
    cwd: root,
  }).toSorted();
  return manifests.flatMap((file) => {
    const { name, scripts } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
      name: string;
      scripts?: Record<string, string>;
    };
    return scripts?.['test'] === undefined ? [] : [{ name, directory: file.replace('/package.json', '') }];
  });
}

/** The number of suites in a package. */
export function countSuites(root: string, { directory }: TestPackage): number {
  const exclude = (path: string): boolean => /(^|\/)(node_modules|dist|fixtures)$/.test(path);
  return globSync('**/*.spec.ts', { cwd: join(root, directory), exclude }).length;
}

export function readResult(root: string, tested: TestPackage): PackageResult {
  const file = resultFile(root, tested);
  // Jest ended before it wrote results: the output of the command has the reason.
  if (!existsSync(file)) return { passed: 0, failed: 1, faults: [], suites: [] };
  const results = JSON.parse(readFileSync(file, 'utf8')) as JestResults;
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numTotalTests, testResults } = results;
  if (numTotalTests + numRuntimeErrorTestSuites === 0)
    return { passed: 0, failed: 1, faults: [`${tested.name} has no tests`], suites: [] };
  const faults = testResults
    .filter(({ status }) => status === 'failed')
    .map((suite) => `${pathOf(suite.name, tested)}\n${suite.message}`);
  const suites = testResults.map(({ name, assertionResults }) => ({
    suite: pathOf(name, tested),
    tests: assertionResults.map(({ fullName, status }) => ({ name: fullName, status })),
  }));
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites, faults, suites };
}

/** Relative to the root. Results from the cache have the absolute paths of the clone that ran the suites. */
function pathOf(suite: string, { directory }: TestPackage): string {
  return suite.slice(suite.lastIndexOf(`/${directory}/`) + 1);
}
