import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { planted } from './mutants-proof.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';

const root = join(__dirname, '../../..');
const [known] = MUTANTS as readonly [Mutant];

it.each(MUTANTS)('finds the place to plant the fault: $fault', (mutant) => {
  const { file, to, spec } = mutant;
  const source = readFileSync(join(root, file), 'utf8');
  expect(planted(mutant, source)).not.toBe(source);
  expect(planted(mutant, source)).toContain(to);
  expect(existsSync(join(root, file.split('/').slice(0, 2).join('/'), spec))).toBe(true);
});

it.each([0, 2])('refuses to plant a fault in a text that stands %d times in the source', (times) => {
  expect(() => planted(known, known.from.repeat(times))).toThrow('does not have this text once');
});

it('plants a replacement as it is written', () => {
  expect(planted({ ...known, to: '$& $1' }, known.from)).toBe('$& $1');
});
