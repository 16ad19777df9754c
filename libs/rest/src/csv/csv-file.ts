import { Readable, pipeline } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { stringify } from 'csv-stringify';
import { z } from 'zod';
import type { ListQuery } from '../paging/list-query.js';
import type { Page } from '../paging/page.js';
import { csvOptions } from './csv-text.js';

/** Rows that one statement of an export reads. */
const EXPORT_PAGE = 500;

/** Returns the schema of the parameters of a CSV file: the filters and the order of its list. */
export function exportQuery({ shape }: z.ZodObject): z.ZodObject {
  const { limit: _limit, cursor: _cursor, fields: _fields, include_total: _total, expand: _expand, ...rest } = shape;
  return z.strictObject(rest);
}

/**
 * A list as CSV (RFC 4180), read page by page while it is sent. A value that a spreadsheet would run as a formula
 * begins with `'`.
 */
export async function csvFile<Row>(
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
  query: ListQuery,
  read: (query: ListQuery) => Promise<Page<Row>>,
  view: (row: Row) => object,
): Promise<StreamableFile> {
  const next = (cursor?: string): Promise<Page<Row>> =>
    read({ ...query, limit: EXPORT_PAGE, cursor, include_total: false });
  // Errors of the first page still have a status.
  const first = await next();
  async function* objects(): AsyncGenerator<object> {
    for (let page = first; ; page = await next(page.next)) {
      for (const row of page.rows) yield view(row);
      if (page.next === null) return;
    }
  }
  const csv = stringify({ header: true, ...csvOptions(columns) });
  // Each end destroys the other: a reader that leaves ends the reading of rows.
  return new StreamableFile(
    pipeline(Readable.from(objects()), csv, () => undefined),
    {
      type: 'text/csv; charset=utf-8',
      disposition: `attachment; filename="${name}.csv"`,
    },
  );
}
