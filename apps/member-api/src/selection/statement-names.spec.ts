import { StatementNames } from './statement-names.js';

const HOUR = 3_600_000;
const PER_HOUR = 200;

describe('names of prepared statements', () => {
  beforeEach(() => jest.useFakeTimers({ now: 0 }));
  afterEach(() => jest.useRealTimers());

  it('names a statement from its third run on', () => {
    const names = new StatementNames();
    expect([1, 2, 3].map((runs) => names.name(runs))).toEqual([undefined, undefined, 'selection_1']);
  });

  it('limits the names per hour and never repeats one', () => {
    const names = new StatementNames();
    const given = Array.from({ length: PER_HOUR }, () => names.name(3));
    expect(new Set(given).size).toBe(PER_HOUR);
    expect(given).not.toContain(undefined);
    jest.setSystemTime(HOUR - 1);
    expect(names.name(99)).toBeUndefined();
    jest.setSystemTime(HOUR);
    expect(names.name(99)).toBe(`selection_${PER_HOUR + 1}`);
  });
});
