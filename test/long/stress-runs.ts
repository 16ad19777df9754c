import type { FailedSuite, PackageResult } from '../run/results.ts';
import type { ProofRun } from './proof.ts';

/** The last run of a package under stress. */
export interface PackageRun extends Omit<ProofRun, 'former'> {
  readonly passed: number;
  /** Without the failures of excluded suites. */
  readonly failed: number;
  readonly failures: readonly FailedSuite[];
}

/** The last runs by the name of the package. */
export type PackageRuns = Readonly<Record<string, PackageRun>>;

/** Characters of a message that the file keeps. */
const MESSAGE_LENGTH = 500;

export function packageRun(
  { passed, failures: all }: PackageResult,
  excluded: Readonly<Record<string, string>>,
  { commit, modified, date }: ProofRun,
): PackageRun {
  const failures = all
    .filter(({ suite }) => !(suite in excluded))
    .map(({ suite, tests, message }) => ({ suite, tests, message: message.slice(0, MESSAGE_LENGTH) }));
  const failed = failures.reduce((sum, { tests }) => sum + Math.max(tests.length, 1), 0);
  return { commit, modified, date, passed, failed, failures };
}

/** The latest run of each package: packages that did not run keep their former one, and deleted packages have none. */
export function mergeRuns(former: PackageRuns, latest: PackageRuns, known: readonly string[]): PackageRuns {
  return Object.fromEntries(
    known.flatMap((name) => {
      const run = latest[name] ?? former[name];
      return run === undefined ? [] : [[name, run] as const];
    }),
  );
}
