import { mergeRuns, packageRun, type PackageRun } from './stress-runs.ts';

const run = { commit: 'c0ffee', modified: false, date: '2026-11-24T10:00:00.000Z', former: undefined };
const failure = (suite: string, tests: number) => ({
  suite,
  tests: Array.from({ length: tests }, (_, index) => ({ name: `test ${index}`, message: 'no' })),
  message: 'x'.repeat(600),
});
const runOf = (commit: string): PackageRun => ({ ...run, commit, passed: 1, failed: 0, failures: [] });

describe('packageRun', () => {
  it('counts failed tests, and a suite without a failed test as one', () => {
    const result = { passed: 7, failed: 3, suites: [], failures: [failure('a.spec.ts', 2), failure('b.spec.ts', 0)] };
    expect(packageRun(result, {}, run)).toMatchObject({ commit: 'c0ffee', passed: 7, failed: 3 });
  });

  it('leaves out the failures of excluded suites, and the ends of long messages', () => {
    const result = { passed: 7, failed: 3, suites: [], failures: [failure('a.spec.ts', 2), failure('b.spec.ts', 1)] };
    const { failed, failures } = packageRun(result, { 'a.spec.ts': 'tests a time limit' }, run);
    expect([failed, failures.map(({ suite, message }) => [suite, message.length])]).toEqual([1, [['b.spec.ts', 500]]]);
  });
});

describe('mergeRuns', () => {
  it('replaces the runs of the packages that ran, and keeps the others', () => {
    const former = { auth: runOf('old'), rest: runOf('old') };
    const merged = mergeRuns(former, { auth: runOf('new'), jobs: runOf('new') }, ['auth', 'jobs', 'rest', 'mail']);
    expect(Object.entries(merged).map(([name, { commit }]) => [name, commit])).toEqual([
      ['auth', 'new'],
      ['jobs', 'new'],
      ['rest', 'old'],
    ]);
  });

  it('drops the run of a deleted package', () => {
    expect(mergeRuns({ gone: runOf('old') }, {}, ['auth'])).toEqual({});
  });
});
