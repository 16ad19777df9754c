import { portion } from './portion.ts';

const parts = (items: readonly number[], count: number): number[][] =>
  Array.from({ length: count }, (_, part) => portion(items, part, count));

describe('the portions of what can be used only once', () => {
  it('are equal, share nothing, and leave over what does not divide', () => {
    expect(parts([1, 2, 3, 4, 5, 6, 7], 3)).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
  });
  it('are all of it when there is one', () => {
    expect(parts([1, 2], 1)).toEqual([[1, 2]]);
  });
  it('are empty when there is not one for each', () => {
    expect(parts([1, 2], 3)).toEqual([[], [], []]);
  });
});
