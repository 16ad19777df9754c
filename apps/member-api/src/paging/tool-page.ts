import { z } from 'zod';

/** How the lists of tools are paged: in smaller pages than those of GraphQL, because a model reads them. */
export const toolPage = {
  input: z.object({
    first: z.int().min(1).max(50).default(20).describe('How many items at most'),
    after: z.string().min(1).optional().describe('next_cursor of the page before'),
  }),
  output: <Item extends z.ZodObject>(item: Item) =>
    z.object({
      items: z.array(item),
      next_cursor: z.string().nullable().describe('Pass it as "after" for the next page; null at the end'),
    }),
  next: ({ hasNextPage, endCursor }: { hasNextPage: boolean; endCursor: string | null }): string | null =>
    hasNextPage ? endCursor : null,
};
