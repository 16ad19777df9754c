import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { committedFigures, regressionLines, regressions } from './comparison.js';
import type { Figure } from './proof.js';

const ratio = (value: number): Figure => ({ title: 'ratio', value, unit: '×', at_least: 0.5 });
const delay = (value: number): Figure => ({ title: 'delay', value, unit: 'ms', at_most: 50 });
const lost = (value: number): Figure => ({ title: 'lost', value, unit: '', at_most: 0 });

describe('the comparison with the last release', () => {
  it.each<[string, Figure, Figure]>([
    ['a ratio that is 15 % lower', ratio(0.85), ratio(1)],
    ['a ratio that is higher', ratio(3), ratio(1)],
    ['a delay that is 15 % longer', delay(23), delay(20)],
    ['a delay that is shorter', delay(1), delay(20)],
    ['a count that stays at 0', lost(0), lost(0)],
    ['a new figure', ratio(0.1), delay(20)],
    ['a figure without a goal', { title: 'requests', value: 1, unit: '' }, { title: 'requests', value: 9, unit: '' }],
    ['a figure that was not measured before', ratio(1), ratio(NaN)],
  ])('accepts %s', (_case, now, before) => {
    expect(regressions([now], [before])).toEqual([]);
  });

  it.each<[string, Figure, Figure]>([
    ['a ratio that is more than 15 % lower', ratio(0.84), ratio(1)],
    ['a delay that is more than 15 % longer', delay(23.1), delay(20)],
    ['the first count above 0', lost(1), lost(0)],
    ['a figure that could not be measured', ratio(NaN), ratio(1)],
  ])('names %s', (_case, now, before) => {
    const { title, unit } = now;
    expect(regressions([now], [before])).toEqual([{ title, unit, before: before.value, now: now.value }]);
  });

  it('prints a line with both values', () => {
    const [line = ''] = regressionLines(regressions([delay(31)], [delay(20)]));
    expect(stripVTControlCharacters(line).trim()).toBe('worse than the last release: delay: 31 ms, before 20 ms');
  });
});

describe('the figures of the last release', () => {
  const root = mkdtempSync(join(tmpdir(), 'lyceum-committed-'));
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  const file = join(root, 'docs/proofs/tiny.json');

  beforeAll(() => {
    git('init', '--quiet');
    mkdirSync(join(root, 'docs/proofs'), { recursive: true });
    writeFileSync(file, JSON.stringify({ figures: [ratio(1)] }));
    git('add', '.');
    git('-c', 'user.name=Test', '-c', 'user.email=test@school.example', 'commit', '--quiet', '-m', 'figures');
    writeFileSync(file, JSON.stringify({ figures: [ratio(2)] }));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('reads the last commit, which has none of a new proof', () => {
    expect(committedFigures(root, 'tiny')).toEqual([ratio(1)]);
    expect(committedFigures(root, 'new')).toEqual([]);
  });
});
