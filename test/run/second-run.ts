import { join } from 'node:path';
import { firstLine, readResult, type FailedSuite, type PackageResult, type TestPackage } from './results.ts';

/** Runs a command in a directory. */
export type RunCommand = (
  command: readonly string[],
  directory: string,
) => Promise<{ readonly code: number; readonly output: string }>;

/** A suite that failed beside the others and passed alone. */
export interface FlakySuite extends FailedSuite {
  /** The output of the second run. */
  readonly secondOutput: string;
}

export interface SecondRuns {
  /** One for each package, with the results of the second runs. */
  readonly results: readonly PackageResult[];
  readonly flaky: readonly FlakySuite[];
}

/** More failed suites than these in one step do not run again: the fault is not one of chance. */
export const MOST_SECOND_RUNS = 20;
/** More flaky suites than these fail the run. */
export const MOST_FLAKY = 5;

/**
 * Runs each failed suite again, alone and in a new process. A test of the system then has a stack of its own.
 * `onResult` gets one line for each second run.
 */
export async function runFailedAgain(
  { root, scratch, run }: { readonly root: string; readonly scratch: string; readonly run: RunCommand },
  packages: readonly TestPackage[],
  first: readonly PackageResult[],
  onResult: (line: string) => void,
): Promise<SecondRuns> {
  const count = first.reduce((sum, { failures }) => sum + failures.length, 0);
  if (count === 0 || count > MOST_SECOND_RUNS) return { results: first, flaky: [] };
  const results: PackageResult[] = [];
  const flaky: FlakySuite[] = [];
  for (const [index, tested] of packages.entries()) {
    const failures = first[index]?.failures ?? [];
    const outputs = new Map<string, string>();
    const files: string[] = [];
    for (const { suite } of failures) {
      const file = join(scratch, `second-run-${suite.replaceAll('/', '-')}.json`);
      const jest = ['node', '--experimental-vm-modules', join(root, 'libs/testing/jest/run.mjs')];
      const began = performance.now();
      const { code, output } = await run(
        [...jest, '--json', `--outputFile=${file}`, '--runTestsByPath', join(root, suite)],
        join(root, tested.directory),
      );
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      onResult(`again  ${suite}  ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
      files.push(file);
      outputs.set(suite, output);
    }
    const result = readResult(root, tested, files);
    const failedTwice = new Set(result.failures.map(({ suite }) => suite));
    results.push(result);
    flaky.push(
      ...failures
        .filter(({ suite }) => !failedTwice.has(suite))
        .map((failure) => ({ ...failure, secondOutput: outputs.get(failure.suite) ?? '' })),
    );
  }
  return { results, flaky };
}

/** One line for each test that failed at first. */
export function flakyLines({ suite, tests, message }: FlakySuite): string[] {
  if (tests.length === 0) return [`flaky  ${suite}  ${firstLine(message)}`];
  return tests.map((test) => `flaky  ${suite}  ${test.name}: ${test.message}`);
}

/** The faults of a whole run. */
export function flakyFaults(flaky: readonly FlakySuite[]): string[] {
  return flaky.length > MOST_FLAKY ? [`${flaky.length} suites are flaky. At most ${MOST_FLAKY} may be.`] : [];
}
