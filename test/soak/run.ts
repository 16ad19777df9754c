/** `node test/soak/run.ts [--seconds 60 --seed 1]`: a soak of any length, without a file in docs/proofs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isReached } from '../long/proof.ts';
import { soak } from './soak.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '600' }, seed: { type: 'string', default: '1' } },
});
const [seconds, seed] = [values.seconds, values.seed].map((text) => (/^\d{1,10}$/.test(text) ? Number(text) : NaN));
if (!seconds || seed === undefined || Number.isNaN(seed)) {
  process.stderr.write('--seconds and --seed must be whole numbers\n');
  process.exit(2);
}
const directory = mkdtempSync(join(tmpdir(), 'lyceum-soak-'));
try {
  const say = (text: string): void => void process.stdout.write(`  ${text}\n`);
  const figures = await soak({ directory, seconds, seed, say });
  for (const figure of figures)
    say(`${isReached(figure) ? 'reached' : 'MISSED '} ${figure.title}: ${figure.value} ${figure.unit}`);
  process.exitCode = figures.every(isReached) ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
