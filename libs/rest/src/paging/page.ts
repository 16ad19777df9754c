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
      data: z.array(item).meta({ description: 'The objects of this page' }),
      page: z
        .object({
          next_cursor: z
            .string()
            .nullable()
            .meta({ description: 'The `cursor` of the next page; null on the last one' }),
          has_more: z.boolean().meta({ description: 'Whether a next page exists' }),
          limit: z.int().min(1).meta({ description: 'Objects of a page at most, as requested' }),
          total_count: z.int().min(0).optional().meta({ description: 'Objects of all pages, with `include_total`' }),
        })
        .meta({ description: 'Place of this page in the list' }),
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
