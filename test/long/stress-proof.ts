import { spawn, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { nameOf, readResult, testPackages } from '../run/results.ts';
import type { Findings, Proof, ProofRun } from './proof.ts';
import { pauseAtRandom } from './random-pauses.ts';
import { mergeRuns, packageRun, type PackageRuns } from './stress-runs.ts';

const ROOT = join(import.meta.dirname, '../..');
const LOOPS_PER_CORE = 2;
/** Failed tests of all packages. Each is mended, or its suite is excluded with a reason. */
const MOST_FAILED = 3;

/** Suites whose subject is a time limit or a stopped process, with the reason. Their failures do not count. */
export const EXCLUDED: Readonly<Record<string, string>> = {
  'libs/platform/src/database/sql.db.spec.ts': 'tests the limits of a pool, which are shorter than a pause',
  'libs/platform/test/process.spec.ts': 'tests how long a process takes to stop',
  'test/long/random-pauses.spec.ts': 'stops processes itself',
};

/**
 * `npm run test:long -- stress [package…]`: all suites, or those of the named packages, once. Two busy loops per core
 * run beside them, and processes of the run stop again and again, as on a busy host. The file has the last run of each
 * package, so that a run of some packages keeps the results of the others.
 */
export const stressProof: Proof = {
  name: 'stress',
  title: 'all suites beside two busy loops per core, while their processes stop for up to 1.5 s',
  obstacle: () => (process.platform === 'linux' ? undefined : 'It reads /proc, which only Linux has.'),
  run: async (_scratch, current) => {
    const loops = Array.from({ length: LOOPS_PER_CORE * availableParallelism() }, startLoop);
    try {
      return await runSuites(current);
    } finally {
      for (const loop of loops) loop.kill('SIGKILL');
    }
  },
};

async function runSuites(current: ProofRun): Promise<Findings> {
  const run = spawn('node', ['test/run.mjs', 'servers', 'suites', 'services', 'system'], {
    cwd: ROOT,
    env: { ...process.env, LYCEUM_TEST_ONCE: '1', NX_SKIP_NX_CACHE: 'true' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const stop = pauseAtRandom(run.pid!);
  const code = await new Promise((resolve) => run.once('close', resolve));
  const pauses = stop();
  const selected = process.env['LYCEUM_TEST_PACKAGES']?.split(',');
  const known = testPackages(ROOT).map((tested) => ({ ...tested, short: shortOf(nameOf(tested)) }));
  const ran = known.filter(
    ({ name, short }) => selected?.some((one) => one === short || one === shortOf(name)) ?? true,
  );
  const results = ran.map((tested) => ({ name: tested.short, result: readResult(ROOT, tested) }));
  if (results.every(({ result }) => result.passed === 0)) throw new Error('No test has passed. See the output.');
  if (code !== 0 && results.every(({ result }) => result.failures.length === 0))
    throw new Error('The run failed without a failed suite. See its output.');
  const latest = Object.fromEntries(results.map(({ name, result }) => [name, packageRun(result, EXCLUDED, current)]));
  const names = known.map(({ short }) => short);
  const packages = mergeRuns((current.former?.['packages'] ?? {}) as PackageRuns, latest, names);
  const sum = (count: 'passed' | 'failed'): number =>
    Object.values(packages).reduce((so_far, one) => so_far + one[count], 0);
  return {
    figures: [
      { title: 'passed tests', value: sum('passed'), unit: '', at_least: 1 },
      { title: 'failed tests', value: sum('failed'), unit: '', at_most: MOST_FAILED },
      { title: 'packages without a run', value: names.length - Object.keys(packages).length, unit: '' },
      { title: 'pauses of processes', value: pauses, unit: '', at_least: 1 },
    ],
    details: { packages, excluded: EXCLUDED },
  };
}

function shortOf(name: string): string {
  return name.replace('@lyceum/', '');
}

function startLoop(): ChildProcess {
  return spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' });
}
