import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Figure, Proof } from '../proof.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';

const root = join(import.meta.dirname, '../../..');
/** Numbers of the planted faults, or parts of their paths. All run without it. */
const { LYCEUM_MUTANTS } = process.env;

/** Runs each suite with its planted fault. A fault that no test finds shows a rule without a test. */
export const mutantsProof: Proof = {
  name: 'mutants',
  title: 'faults of the past, planted one after the other, each found by the nearest suite',
  run: async (scratch) => {
    const chosen = MUTANTS.filter((mutant, index) => isChosen(mutant, index));
    const figures: Figure[] = [];
    for (const mutant of chosen) {
      const found = await failedTests(mutant, join(scratch, 'result.json'));
      process.stdout.write(`    ${found > 0 ? `found by ${found} tests` : 'NOT FOUND'}: ${mutant.fault}\n`);
      figures.push({ title: mutant.fault, value: found, unit: 'failed tests', at_least: 1 });
    }
    return figures;
  },
};

function isChosen({ file }: Mutant, index: number): boolean {
  return LYCEUM_MUTANTS?.split(',').some((part) => part === String(index + 1) || file.includes(part)) ?? true;
}

/** The source with the fault. @throws Error unless the text to replace stands there once */
export function planted({ file, from, to }: Mutant, source: string): string {
  if (source.split(from).length !== 2) throw new Error(`${file} does not have this text once: ${from}`);
  return source.replace(from, () => to);
}

/** The number of failed tests of the suite with the fault in the source. The source is as before afterwards. */
async function failedTests(mutant: Mutant, output: string): Promise<number> {
  const path = join(root, mutant.file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, planted(mutant, source));
  try {
    writeFileSync(output, '{}');
    await runSuite(mutant, output);
  } finally {
    writeFileSync(path, source);
  }
  const result = JSON.parse(readFileSync(output, 'utf8')) as { numTotalTests?: number; numFailedTests?: number };
  if (!result.numTotalTests) throw new Error(`No test of ${mutant.spec} ran with the fault in ${mutant.file}.`);
  return result.numFailedTests ?? 0;
}

/** Jest builds what has changed before it runs. */
function runSuite({ file, spec }: Mutant, output: string): Promise<void> {
  const [, directory = ''] = /^((?:apps|libs)\/[^/]+)\//.exec(file) ?? [];
  const path = join(root, directory, spec);
  const child = spawn('npm', ['test', '--', '--runTestsByPath', path, '--json', `--outputFile=${output}`], {
    cwd: packageOf(path),
    stdio: 'ignore',
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}

/** The folder of the package of a suite, which is in `src` or `test` of it. */
function packageOf(path: string): string {
  return ['src', 'test'].includes(basename(path)) ? dirname(path) : packageOf(dirname(path));
}
