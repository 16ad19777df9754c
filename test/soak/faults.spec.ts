import { randomOf } from './faults.js';

describe('the random numbers of a soak', () => {
  const firstOf = (seed: number): number[] => {
    const random = randomOf(seed);
    return Array.from({ length: 1_000 }, () => random());
  };

  it('repeats with the seed', () => {
    expect(firstOf(7)).toEqual(firstOf(7));
    expect(firstOf(7)).not.toEqual(firstOf(8));
  });

  it('stays from 0 to 1 and covers each tenth', () => {
    const tenths = new Set(firstOf(2 ** 31 - 1).map((number) => Math.floor(number * 10)));
    expect([...tenths].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
