/** The tests of one suite, with the status that Jest gave them. */
export interface SuiteTests {
  /** Path of the file, relative to the root. */
  readonly suite: string;
  readonly tests: readonly { readonly name: string; readonly status: string }[];
}

/** A line of `test/skips.json`: a test that may be skipped. */
export interface NamedSkip {
  readonly suite: string;
  /** The names of its `describe` blocks and its own. */
  readonly test: string;
  readonly reason: string;
  /** The program that the test needs. The test is skipped on machines without it, and must run on all others. */
  readonly needs?: string;
}

/** The named skips that this machine must have. */
export function dueSkips(named: readonly NamedSkip[], isInstalled: (program: string) => boolean): NamedSkip[] {
  return named.filter(({ needs }) => needs === undefined || !isInstalled(needs));
}

const RAN = new Set(['passed', 'failed']);

/** Errors about skips that are not in `named`, and about named skips that do not exist. */
export function skipFaults(suites: readonly SuiteTests[], named: readonly NamedSkip[]): string[] {
  const skipped = suites.flatMap(({ suite, tests }) =>
    tests.filter(({ status }) => !RAN.has(status)).map(({ name }) => ({ suite, test: name })),
  );
  const same = (a: Omit<NamedSkip, 'reason'>, b: Omit<NamedSkip, 'reason'>): boolean =>
    a.suite === b.suite && a.test === b.test;
  return [
    ...skipped
      .filter((one) => !named.some((other) => same(one, other)))
      .map(
        ({ suite, test }) => `${suite}: "${test}" is skipped. Run it, or name it in test/skips.json with the reason.`,
      ),
    ...named
      .filter(({ reason }) => !reason?.trim())
      .map(({ suite, test }) => `${suite}: "${test}" has no reason in test/skips.json. Add the reason.`),
    ...named
      .filter((one) => !skipped.some((other) => same(one, other)))
      .map(
        ({ suite, test }) => `${suite}: "${test}" is not skipped, or does not exist. Remove it from test/skips.json.`,
      ),
  ];
}
