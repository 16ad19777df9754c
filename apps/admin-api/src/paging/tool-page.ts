import { z } from 'zod';
import { CURSOR_LENGTH } from './cursor.js';

/** How tools page. Fifty items of a summary stay far below the 60 KB of a result. */
export const toolPage = {
  first: z.int().min(1).max(50).default(20).describe('How many items at most'),
  after: z.string().max(CURSOR_LENGTH).optional().describe('next_cursor of the page before'),
};

export function itemsOf<Item extends z.ZodObject>(item: Item) {
  return z.object({
    items: z.array(item),
    next_cursor: z.string().nullable().describe('Pass it as "after" for the next page; null at the end'),
  });
}
