import { z } from 'zod';

/** Characters of a cursor, of tools and of the REST API: a sort value in it is at most 200 characters long. */
export const CURSOR_LENGTH = 2048;

/**
 * Arguments of every tool that lists. Pages are smaller than those of the APIs, because a model reads them: fifty items of
 * a summary stay far below the 60 KB of a result.
 */
export const toolPage = {
  first: z.int().min(1).max(50).default(20).describe('How many items at most'),
  after: z.string().min(1).max(CURSOR_LENGTH).optional().describe('next_cursor of the page before'),
};

/** The result of every tool that lists. */
export function itemsOf<Item extends z.ZodObject>(item: Item) {
  return z.object({
    items: z.array(item),
    next_cursor: z.string().nullable().describe('Pass it as "after" for the next page; null at the end'),
  });
}
