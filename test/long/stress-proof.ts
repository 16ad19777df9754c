import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { FailedSuite } from '../run/results.ts';
import type { Findings, Proof } from './proof.ts';
import { pauseAtRandom } from './random-pauses.ts';

const ROOT = join(import.meta.dirname, '../..');
const LOOPS_PER_CORE = 2;
/** Failed tests of a whole run. Each is mended, or its suite is excluded with a reason. */
const MOST_FAILED = 3;

/** Suites whose subject is a time limit or a stopped process, with the reason. Their failures do not count. */
export const EXCLUDED: Readonly<Record<string, string>> = {
  'libs/platform/src/sql.db.spec.ts': 'tests the limits of a pool, which are shorter than a pause',
  'libs/platform/test/process.spec.ts': 'tests how long a process takes to stop',
  'test/long/random-pauses.spec.ts': 'stops processes itself',
};

/**
 * `npm run test:long -- stress [package…]`: all suites, or those of the named packages, once. Two busy loops per core
 * run beside them, and processes of the run stop again and again, as on a busy host.
 */
export const stressProof: Proof = {
  name: 'stress',
  title: 'all suites beside two busy loops per core, while their processes stop for up to 1.5 s',
  obstacle: () => (process.platform === 'linux' ? undefined : 'It reads /proc, which only Linux has.'),
  run: async () => {
    const loops = Array.from({ length: LOOPS_PER_CORE * availableParallelism() }, startLoop);
    try {
      return await runSuites();
    } finally {
      for (const loop of loops) loop.kill('SIGKILL');
    }
  },
};

async function runSuites(): Promise<Findings> {
  const failuresFile = join(ROOT, '.lyceum/failures.json');
  rmSync(failuresFile, { force: true });
  const run = spawn('node', ['test/run.mjs', 'servers', 'suites', 'services', 'system'], {
    cwd: ROOT,
    env: { ...process.env, LYCEUM_TEST_ONCE: '1', NX_SKIP_NX_CACHE: 'true' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = textOf(run);
  const stop = pauseAtRandom(run.pid!);
  const code = await new Promise((resolve) => run.once('close', resolve));
  const pauses = stop();
  const passed = Number(/(\d+) passed, \d+ failed\s*$/.exec(await output)?.[1] ?? 0);
  const all = JSON.parse(readFileSync(failuresFile, 'utf8')) as readonly FailedSuite[];
  if (code !== 0 && all.length === 0) throw new Error('The run failed without a failed suite. See its output.');
  const failures = all.filter(({ suite }) => !(suite in EXCLUDED));
  const failed = failures.reduce((sum, { tests }) => sum + Math.max(tests.length, 1), 0);
  return {
    figures: [
      { title: 'passed tests', value: passed, unit: '', at_least: 1 },
      { title: 'failed tests', value: failed, unit: '', at_most: MOST_FAILED },
      { title: 'pauses of processes', value: pauses, unit: '', at_least: 1 },
    ],
    details: {
      packages: process.env['LYCEUM_TEST_PACKAGES']?.split(',') ?? 'all',
      failures: failures.map(({ suite, tests, message }) => ({ suite, tests, message: message.slice(0, 500) })),
      excluded: EXCLUDED,
    },
  };
}

async function textOf({ stdout }: ChildProcess): Promise<string> {
  let text = '';
  for await (const part of stdout!.setEncoding('utf8') as AsyncIterable<string>) {
    process.stdout.write(part);
    text += part;
  }
  return text;
}

function startLoop(): ChildProcess {
  return spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' });
}
