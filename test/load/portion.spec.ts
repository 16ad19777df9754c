import { portion } from './portion.ts';

const parts = (items: readonly number[], count: number): number[][] =>
  Array.from({ length: count }, (_, part) => portion(items, part, count));

describe('the portions of single-use requests', () => {
  it('divides a list into equal, disjoint portions, and leaves over the remainder', () => {
    expect(parts([1, 2, 3, 4, 5, 6, 7], 3)).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
  });
  it('returns the whole list for one part', () => {
    expect(parts([1, 2], 1)).toEqual([[1, 2]]);
  });
  it('returns empty portions when the list is shorter than the number of parts', () => {
    expect(parts([1, 2], 3)).toEqual([[], [], []]);
  });
});
