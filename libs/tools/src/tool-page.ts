import { z } from 'zod';

/** Longest cursor, for tools and the REST API: its sort value has at most 200 characters. */
export const CURSOR_LENGTH = 2048;

/**
 * Arguments of every list tool. Pages are smaller than those of the APIs, because a model reads them: fifty summaries
 * stay far below the 60 KB of a result.
 */
export const toolPage = {
  first: z.int().min(1).max(50).default(20).describe('How many items at most'),
  after: z.string().min(1).max(CURSOR_LENGTH).optional().describe('next_cursor of the page before'),
};

/** The result of every list tool. */
export function itemsOf<Item extends z.ZodObject>(item: Item) {
  return z.object({
    items: z.array(item),
    next_cursor: z.string().nullable().describe('Pass it as "after" for the next page; null at the end'),
  });
}
