import { isReached, quantile, ratios, spread } from './ratio.ts';

describe('spread', () => {
  it('takes the middle of an odd number of unsorted values', () => {
    expect(spread([9, 1, 5])).toEqual({ min: 1, median: 5, max: 9 });
  });
  it('takes the mean of the two in the middle of an even number', () => {
    expect(spread([10, 1, 4, 2])).toEqual({ min: 1, median: 3, max: 10 });
  });
  it('returns the value itself as the spread of one value', () => {
    expect(spread([7])).toEqual({ min: 7, median: 7, max: 7 });
  });
  it('does not change its input, and refuses an empty list', () => {
    const values = [3, 1, 2];
    spread(values);
    expect(values).toEqual([3, 1, 2]);
    expect(() => spread([])).toThrow('spread of nothing');
  });
});

describe('quantile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
  it('returns the nearest rank as the quantile', () => {
    expect(quantile(hundred, 0.5)).toBe(50);
    expect(quantile(hundred, 0.99)).toBe(99);
    expect(quantile(hundred, 1)).toBe(100);
    expect(quantile(hundred, 0)).toBe(1);
  });
  it('returns a single value', () => {
    expect(quantile([3], 0.99)).toBe(3);
  });
  it('refuses an empty list', () => {
    expect(() => quantile([], 0.5)).toThrow('quantile of nothing');
  });
});

describe('ratios', () => {
  it('divides our value by the baseline of the same round', () => {
    expect(ratios([10, 30], [20, 10])).toEqual([0.5, 3]);
  });
  it('throws when a round is missing or measured nothing', () => {
    expect(() => ratios([1, 2], [1])).toThrow('2 rounds against 1');
    expect(() => ratios([1], [0])).toThrow('Round 1 measured nothing');
    expect(() => ratios([0], [1])).toThrow('Round 1 measured nothing');
    expect(() => ratios([Number.NaN], [1])).toThrow('Round 1 measured nothing');
  });
});

describe('a goal', () => {
  it('compares the median with the goal, which counts as reached', () => {
    expect(isReached({ min: 0.1, median: 0.6, max: 0.7 }, 0.6)).toBe(true);
    expect(isReached({ min: 0.1, median: 0.59, max: 0.9 }, 0.6)).toBe(false);
  });
});
