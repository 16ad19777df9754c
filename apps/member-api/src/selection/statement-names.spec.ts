import { StatementNames } from './statement-names.js';

const HOUR = 3_600_000;

describe('names of prepared statements', () => {
  it('are given from the third run on', () => {
    const names = new StatementNames(10, () => 0);
    expect([1, 2, 3].map((runs) => names.name(runs))).toEqual([undefined, undefined, 'selection_1']);
  });

  it('are so many an hour, and never the same twice', () => {
    let now = 0;
    const names = new StatementNames(2, () => now);
    expect([3, 3, 3].map((runs) => names.name(runs))).toEqual(['selection_1', 'selection_2', undefined]);
    now = HOUR - 1;
    expect(names.name(99)).toBeUndefined();
    now = HOUR;
    expect(names.name(99)).toBe('selection_3');
  });
});
