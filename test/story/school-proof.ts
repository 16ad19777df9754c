import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure, Proof } from '../long/proof.ts';

const SYSTEM_TEST = join(import.meta.dirname, '..');

/** `npm test` runs the same suite. This proof keeps its calls, characters and seconds. */
export const schoolProof: Proof = {
  name: 'school',
  title: 'calls, characters and seconds of a school by the operator API, and of a course by tools',
  run: async (scratch) => {
    const file = join(scratch, 'figures.jsonl');
    await runStory(file);
    if (!existsSync(file)) throw new Error('The suite has reported no figures');
    return figuresIn(readFileSync(file, 'utf8'));
  },
};

/** The figures that the suite has written, one in a line. */
function figuresIn(lines: string): Figure[] {
  const written = lines.split('\n').filter((line) => line !== '');
  return written.map((line) => JSON.parse(line) as Figure);
}

function runStory(figures: string): Promise<void> {
  const child = spawn('npm', ['test', '--', '--runTestsByPath', 'story/school-by-api.spec.ts'], {
    cwd: SYSTEM_TEST,
    env: { ...process.env, LYCEUM_FIGURES: figures },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error('The suite failed. See its output.'));
    });
  });
}
