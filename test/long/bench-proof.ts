import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../load/arguments.ts';
import type { Results } from '../load/report.ts';
import type { Figure, Proof } from './proof.ts';

const BENCH = join(import.meta.dirname, '../load/bench.ts');

/**
 * A suite of the benchmark as a proof: every row with a goal is a figure.
 *
 * @throws ArgumentError for a size that the benchmark refuses
 */
export function benchProof(options: {
  readonly name: string;
  readonly title: string;
  readonly suite: string;
  /** More arguments of the benchmark. */
  readonly size?: readonly string[];
  readonly memoryBytes: number;
}): Proof {
  const { name, title, suite, size = [], memoryBytes } = options;
  // A size that the benchmark refuses fails here, and not after an hour of other proofs.
  readArguments([suite, ...size], [suite]);
  const gigabytes = (bytes: number): string => (bytes / 1024 ** 3).toFixed(1);
  return {
    name,
    title,
    obstacle: () =>
      totalmem() < memoryBytes
        ? `The machine has ${gigabytes(totalmem())} GB of memory, and the proof needs ${gigabytes(memoryBytes)} GB.`
        : undefined,
    run: async (scratch) => {
      const output = join(scratch, 'results.json');
      await runBench([suite, ...size, '--output', output]);
      return figuresOf(JSON.parse(readFileSync(output, 'utf8')) as Results);
    },
  };
}

export function figuresOf({ rows, delays, quantities }: Pick<Results, 'rows' | 'delays' | 'quantities'>): Figure[] {
  return [
    ...rows.flatMap(({ title, ratio, goal }) =>
      goal === undefined
        ? []
        : [{ title: `${title}, requests per second`, value: ratio.median, unit: '×', at_least: goal }],
    ),
    ...delays.map(({ title, p99, goal }) => ({ title: `${title}, p99`, value: p99, unit: 'ms', at_most: goal })),
    ...quantities.map(({ title, value, unit, goal }) => ({ title, value, unit, at_most: goal })),
  ];
}

function runBench(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [BENCH, ...args], { stdio: ['ignore', 'inherit', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`The benchmark failed (${signal ?? `exit code ${code}`}): ${errors.trim()}`));
    });
  });
}
