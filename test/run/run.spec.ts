import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Progress } from './progress.ts';
import { NO_RESULT, readResult, resultFile, testPackages, type PackageResult, type TestPackage } from './results.ts';
import { dueSkips, skipFaults, type NamedSkip } from './skips.ts';

const here = join(__dirname, '../..');

/** Every way to skip a test that Jest has, beside one test that runs and one that fails. */
const SUITE = `
  const slow = process.platform === 'no such platform';
  it('runs', () => expect(1).toBe(1));
  it('fails', () => expect(1).toBe(2));
  it.skip('a', () => {});
  xit('b', () => {});
  test.skip.each([1])('c %i', () => {});
  it.todo('d');
  (slow ? it : it.skip)('e', () => {});
  describe.skip('a block', () => { it('f', () => {}); });
  xdescribe('another block', () => { it('g', () => {}); });
`;
const SKIPPED = ['a', 'b', 'c 1', 'd', 'e', 'a block f', 'another block g'];

const root = mkdtempSync(join(tmpdir(), 'lyceum-run-spec-'));
const progressFile = join(root, 'progress');
const tested = { name: '@lyceum/one', directory: 'libs/one' };
const cached = { name: '@lyceum/two', directory: 'libs/two' };
const GROUPS = { 'test-pages': 'jest ./pages/ ./forms/', 'test-rules': 'jest --config rules.mjs ./rules/' };
const [pages, rules] = [
  { name: '@lyceum/system', directory: 'test', group: { target: 'test-pages', folders: ['pages/', 'forms/'] } },
  { name: '@lyceum/system', directory: 'test', group: { target: 'test-rules', folders: ['rules/'] } },
] as const;
const suite = 'libs/one/src/one.spec.ts';
let result: PackageResult;

function write(path: string, content: unknown): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
}

beforeAll(() => {
  write('package.json', {});
  for (const { name, directory } of [tested, cached])
    write(`${directory}/package.json`, { name, scripts: { test: 'jest' } });
  write('libs/no-tests/package.json', { name: '@lyceum/no-tests' });
  write('test/package.json', { name: '@lyceum/system', scripts: { test: 'jest', ...GROUPS } });
  for (const file of ['pages/a', 'pages/more/b', 'forms/c', 'rules/d']) write(`test/${file}.spec.ts`, '');
  write(suite, SUITE);
  write('libs/two/test/two.spec.ts', '');
  write('libs/two/src/three.spec.ts', '');
  write('libs/two/node_modules/other/other.spec.ts', '');
  const configuration = { rootDir: join(root, 'libs/one'), testMatch: ['**/*.spec.ts'], transform: {} };
  const results = resultFile(root, tested);
  mkdirSync(dirname(results), { recursive: true });
  const reporter = join(here, 'libs/testing/jest/progress.mjs');
  const args = ['--ci', '--json', `--outputFile=${results}`, `--reporters=${reporter}`];
  const run = (): unknown =>
    execFileSync(join(here, 'node_modules/.bin/jest'), [`--config=${JSON.stringify(configuration)}`, ...args], {
      cwd: here,
      env: { ...process.env, LYCEUM_TEST_PROGRESS: progressFile },
      stdio: 'pipe',
    });
  expect(run).toThrow(/Command failed/);
  result = readResult(root, tested);
});
afterAll(() => rmSync(root, { recursive: true }));

describe('the results of a package', () => {
  it('requires results from every package with a test script, and from each of its groups', () => {
    expect(testPackages(root)).toEqual([tested, cached, pages, rules]);
  });

  it('requires the suites of the folders of a group alone', () => {
    const missing = (group: TestPackage): string[] => readResult(root, group).failures.map(({ suite: file }) => file);
    expect(missing(pages).toSorted()).toEqual([
      'test/forms/c.spec.ts',
      'test/pages/a.spec.ts',
      'test/pages/more/b.spec.ts',
    ]);
    expect(missing(rules)).toEqual(['test/rules/d.spec.ts']);
    expect(resultFile(root, pages)).toBe(join(root, '.lyceum/tests/@lyceum/system-pages.json'));
  });

  it('counts what passed and what failed, with the message of the failure', () => {
    expect(result).toMatchObject({ passed: 1, failed: 1 });
    expect(result.failures).toEqual([
      {
        suite,
        tests: [{ name: 'fails', message: expect.stringContaining('expect(received).toBe(expected)') }],
        message: expect.stringContaining('● fails'),
      },
    ]);
  });

  it('names suites by their paths in this clone when another clone has cached them', () => {
    const clone = join(root, 'another-clone');
    mkdirSync(dirname(resultFile(clone, tested)), { recursive: true });
    copyFileSync(resultFile(root, tested), resultFile(clone, tested));
    expect(readResult(clone, tested)).toEqual(result);
  });

  it('counts a package without suites as a failure', () => {
    expect(readResult(root, { name: '@lyceum/no-tests', directory: 'libs/no-tests' })).toMatchObject({
      passed: 0,
      failed: 1,
      failures: [{ message: '@lyceum/no-tests has no tests' }],
    });
  });

  it('counts each suite without a result as a failure', () => {
    const failures = ['src/three', 'test/two'].map((name) => ({
      suite: `libs/two/${name}.spec.ts`,
      tests: [],
      message: NO_RESULT,
    }));
    const missing = readResult(root, cached);
    expect(missing).toMatchObject({ passed: 0, failed: 2 });
    expect(missing.failures.toSorted((a, b) => a.suite.localeCompare(b.suite))).toEqual(failures);
  });
});

describe('a skipped test', () => {
  const named = SKIPPED.map((test): NamedSkip => ({ suite, test, reason: 'no such platform' }));

  it.each(SKIPPED)('fails the run: %s', (test) => {
    const others = named.filter((other) => other.test !== test);
    expect(skipFaults(result.suites, others)).toEqual([
      `${suite}: "${test}" is skipped. Run it, or name it in test/skips.json with the reason.`,
    ]);
  });

  it('does not fail the run when it is named with its reason', () => {
    expect(skipFaults(result.suites, named)).toEqual([]);
  });

  it('may happen without a program that the test needs, and with the program must not', () => {
    const due = (...installed: string[]): string[] =>
      dueSkips(
        named.map((skip, index) => (index === 0 ? { ...skip, needs: 'caddy' } : skip)),
        (program) => installed.includes(program),
      ).map(({ test }) => test);
    expect(due()).toEqual(SKIPPED);
    expect(due('caddy')).toEqual(SKIPPED.slice(1));
  });

  it('fails the run when it is named without a reason', () => {
    const [first, ...others] = named;
    expect(skipFaults(result.suites, [{ ...first!, reason: ' ' }, ...others])).toEqual([
      `${suite}: "a" has no reason in test/skips.json. Add the reason.`,
    ]);
  });

  it.each([
    ['runs', suite, 'runs'],
    ['does not exist', suite, 'z'],
    ['is in a suite that does not exist', 'libs/one/src/two.spec.ts', 'a'],
  ])('fails the run when it is named and %s', (_case, file, test) => {
    const more = { suite: file, test, reason: 'no such platform' };
    expect(skipFaults(result.suites, [...named, more])).toEqual([
      `${file}: "${test}" is not skipped, or does not exist. Remove it from test/skips.json.`,
    ]);
  });
});

describe('the progress of a run', () => {
  const shown = (progress: Progress): string[] => progress.news().map((line) => line.replace(/ in \d+\.\d s/, ''));

  it('prints finished suites with their failures, and cached packages', () => {
    const progress = new Progress(root, progressFile, [tested, cached]);
    const [line, ...more] = shown(progress);
    expect(more).toEqual([]);
    expect(line).toMatch(/^    1\/3     0 s  libs\/one\/src\/one\.spec\.ts  1 passed, 1 FAILED\n/);
    expect(line).toMatch(/\n {8}● fails\n[^]*Expected: 2\n {10}Received: 1/);
    expect(shown(progress)).toEqual([]);
    write('.lyceum/tests/@lyceum/two.json', {});
    expect(shown(progress)).toEqual(['    3/3     0 s  libs/two  2 suites from the cache']);
    expect(shown(progress)).toEqual([]);
  });

  it('prints a group from the cache while another group of its package runs', () => {
    const file = join(root, 'groups');
    const progress = new Progress(root, file, [pages, rules]);
    const line = { suite: join(root, 'test/rules/d.spec.ts'), passed: 1, failed: 0, seconds: 1 };
    writeFileSync(file, `${JSON.stringify(line)}\n`);
    write('.lyceum/tests/@lyceum/system-pages.json', {});
    expect(shown(progress)).toEqual([
      '    1/4     0 s  test/rules/d.spec.ts  1 passed',
      '    4/4     0 s  test (test-pages)  3 suites from the cache',
    ]);
  });

  it('waits for the end of a line', () => {
    const file = join(root, 'half');
    const line = JSON.stringify({ suite: join(root, suite), passed: 2, failed: 0, seconds: 1 });
    const progress = new Progress(root, file, [{ ...tested, name: '@lyceum/without-results' }]);
    writeFileSync(file, line);
    expect(shown(progress)).toEqual([]);
    writeFileSync(file, `${line}\n`);
    expect(shown(progress)).toEqual([`    1/1     0 s  ${suite}  2 passed`]);
  });
});
