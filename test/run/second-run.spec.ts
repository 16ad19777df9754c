import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { busiestOthers } from './machine.ts';
import { NO_RESULT, readResult, resultFile, type PackageResult } from './results.ts';
import { flakyFaults, flakyLines, MOST_FLAKY, MOST_SECOND_RUNS, runFailedAgain } from './second-run.ts';
import type { FlakySuite, RunCommand, SecondRuns } from './second-run.ts';

const root = mkdtempSync(join(tmpdir(), 'lyceum-second-run-'));
const tested = { name: '@lyceum/planted', directory: 'libs/planted' };
const ended = { name: '@lyceum/ended', directory: 'libs/ended' };
const PACKAGES = [tested, ended];
const marker = JSON.stringify(join(root, 'ran-'));

/** The first run of each suite writes a file, by which the second one knows that it is the second. */
const FIRST = (name: string): string => `
  const { existsSync, writeFileSync } = require('node:fs');
  const first = !existsSync(${marker} + '${name}');
  writeFileSync(${marker} + '${name}', '');
`;
const SUITES = {
  'planted/src/good.spec.ts': `it('passes', () => {});`,
  'planted/src/flaky.spec.ts': `${FIRST('flaky')} it('passes', () => {}); it('races', () => expect(first).toBe(false));`,
  'planted/src/broken.spec.ts': `it('passes', () => {}); it('is wrong', () => expect(1).toBe(2));`,
  'planted/src/crash.spec.ts': `${FIRST('crash')} it('ends its worker', () => { if (first) process.kill(process.pid, 'SIGKILL'); });`,
  'ended/src/ended.spec.ts': `it('was never reached', () => {});`,
};

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** The environment without the variables of the run and the Nx that started this suite. */
const outer = Object.entries(process.env).filter(([name]) => !/^(NX|LYCEUM_TEST)_/.test(name));
const env = Object.fromEntries(outer);

const commands: (readonly string[])[] = [];
const run: RunCommand = ([program = '', ...args], cwd) =>
  new Promise((resolve) => {
    commands.push([program, ...args]);
    const child = spawn(program, args, { cwd, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });

let first: PackageResult[];
let second: SecondRuns;
const lines: string[] = [];

beforeAll(async () => {
  mkdirSync(join(root, 'libs'));
  symlinkSync(join(__dirname, '../../libs/testing'), join(root, 'libs/testing'));
  for (const [path, text] of Object.entries(SUITES)) write(`libs/${path}`, text);
  for (const { directory } of PACKAGES)
    write(`${directory}/jest.config.mjs`, `export default { testMatch: ['**/*.spec.ts'], transform: {} };`);
  const jest = ['--experimental-vm-modules', join(root, 'libs/testing/jest/run.mjs'), '--maxWorkers=2', '--json'];
  mkdirSync(dirname(resultFile(root, tested)), { recursive: true });
  await run(['node', ...jest, `--outputFile=${resultFile(root, tested)}`], join(root, tested.directory));
  commands.length = 0;
  first = PACKAGES.map((one) => readResult(root, one));
  second = await runFailedAgain({ root, scratch: root, run }, PACKAGES, first, (line) => lines.push(line));
});
afterAll(() => rmSync(root, { recursive: true }));

describe('the first run', () => {
  it('counts a failed test, a crashed worker and a suite without a result', () => {
    expect(first).toMatchObject([
      { passed: 3, failed: 3 },
      { passed: 0, failed: 1, failures: [{ suite: 'libs/ended/src/ended.spec.ts', message: NO_RESULT }] },
    ]);
    expect(first[0]?.failures.map(({ suite }) => suite).toSorted()).toEqual([
      'libs/planted/src/broken.spec.ts',
      'libs/planted/src/crash.spec.ts',
      'libs/planted/src/flaky.spec.ts',
    ]);
  });
});

describe('the second run', () => {
  it('runs each failed suite alone in a process of its own, and no other', () => {
    expect(commands.map((command) => command.slice(-2))).toEqual(
      first.flatMap(({ failures }) => failures).map(({ suite }) => ['--runTestsByPath', join(root, suite)]),
    );
    expect(lines.map((line) => line.replace(/ in [\d.]+ s$/, '')).toSorted()).toEqual([
      'again  libs/ended/src/ended.spec.ts  passed',
      'again  libs/planted/src/broken.spec.ts  FAILED',
      'again  libs/planted/src/crash.spec.ts  passed',
      'again  libs/planted/src/flaky.spec.ts  passed',
    ]);
  });

  it('counts in place of the first one, and leaves a failure that repeats itself', () => {
    expect(second.results).toMatchObject([
      { passed: 5, failed: 1, failures: [{ suite: 'libs/planted/src/broken.spec.ts' }] },
      { passed: 1, failed: 0, failures: [] },
    ]);
  });

  it('names the flaky tests with their first messages, and has the outputs of both runs', () => {
    const flaky = second.flaky.find(({ suite }) => suite === 'libs/planted/src/flaky.spec.ts');
    expect(flakyLines(flaky!)).toEqual([
      'flaky  libs/planted/src/flaky.spec.ts  races: Error: expect(received).toBe(expected) // Object.is equality',
    ]);
    expect(flaky).toMatchObject({
      message: expect.stringContaining('● races'),
      secondOutput: expect.stringContaining('PASS'),
    });
    const crashed = second.flaky.find(({ suite }) => suite === 'libs/planted/src/crash.spec.ts');
    expect(flakyLines(crashed!)).toEqual([expect.stringContaining('crash.spec.ts  ● Test suite failed to run')]);
    expect(second.flaky).toHaveLength(3);
  });

  it('does not happen when too many suites failed', async () => {
    const failure = { suite: 'libs/planted/src/good.spec.ts', tests: [], message: 'x' };
    const many = { passed: 0, failed: 1, suites: [], failures: Array(MOST_SECOND_RUNS + 1).fill(failure) };
    const again = await runFailedAgain(
      { root, scratch: root, run: () => Promise.reject(new Error('It ran again.')) },
      [tested],
      [many],
      () => {},
    );
    expect(again).toEqual({ results: [many], flaky: [] });
  });
});

describe('the flaky suites of a run', () => {
  const flaky: FlakySuite = { suite: 'a.spec.ts', tests: [], message: 'x', secondOutput: '' };

  it('fail the run when they are too many', () => {
    expect(flakyFaults(Array(MOST_FLAKY).fill(flaky))).toEqual([]);
    expect(flakyFaults(Array(MOST_FLAKY + 1).fill(flaky))).toEqual(['6 suites are flaky. At most 5 may be.']);
  });
});

describe('the load of the machine', () => {
  it('lists the busiest processes that the run did not start', () => {
    const before = [{ pid: 5, parent: 1, ticks: 900, command: 'postgres' }];
    const after = [
      { pid: 1, parent: 0, ticks: 0, command: 'init' },
      { pid: 2, parent: 1, ticks: 400, command: 'node test/run.mjs' },
      { pid: 4, parent: 3, ticks: 800, command: 'jest' },
      { pid: 3, parent: 2, ticks: 300, command: 'nx' },
      { pid: 5, parent: 1, ticks: 910, command: 'postgres' },
      { pid: 6, parent: 1, ticks: 20, command: 'other' },
    ];
    expect(busiestOthers(before, after, 2).map(({ command, ticks }) => [command, ticks])).toEqual([
      ['other', 20],
      ['postgres', 10],
    ]);
  });
});
