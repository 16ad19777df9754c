import { z } from 'zod';

/** The rows of one page. `next` is the cursor of the next page; `total` is set if the query requested it. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
  readonly total: number | undefined;
}

/** Returns the schema `{ data, page }` of a list. @param id name of its OpenAPI component */
export function pageOf<Item extends z.ZodObject>(id: string, item: Item) {
  return z
    .object({
      data: z.array(item),
      page: z.object({
        next_cursor: z.string().nullable(),
        has_more: z.boolean(),
        limit: z.int().min(1),
        total_count: z.int().min(0).optional(),
      }),
    })
    .meta({ id });
}

/** The schema of one page of a list. */
export type PageSchema<Item extends z.ZodObject> = ReturnType<typeof pageOf<Item>>;

export function pageBody<Row>(page: Page<Row>, limit: number, view: (row: Row) => object) {
  return {
    data: page.rows.map(view),
    page: {
      next_cursor: page.next,
      has_more: page.next !== null,
      limit,
      ...(page.total === undefined ? {} : { total_count: page.total }),
    },
  };
}
