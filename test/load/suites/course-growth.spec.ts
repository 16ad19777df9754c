import { cursorOfPage } from './course-growth.ts';

/** A list of three pages. The cursor of a page is its number. */
const read = (_n: number, cursor: string | null): Promise<string> => {
  const page = cursor === null ? 1 : Number(cursor);
  return Promise.resolve(JSON.stringify({ page: { next_cursor: page < 3 ? String(page + 1) : null } }));
};

describe('cursorOfPage', () => {
  it.each([
    [2, '2'],
    [3, '3'],
  ])('returns the cursor of page %d', async (page, cursor) => {
    await expect(cursorOfPage(page, read)).resolves.toBe(cursor);
  });

  it('refuses the first page, and a page after the last', async () => {
    await expect(cursorOfPage(4, read)).rejects.toThrow('The list ends with page 3');
    await expect(cursorOfPage(1, read)).rejects.toThrow('Page 1 has no cursor');
  });
});
