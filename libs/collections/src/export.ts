import { Readable } from 'node:stream';
import type { ListQuery, Page } from '@lyceum/rest';
import { StreamableFile } from '@nestjs/common';
import { stringify } from 'csv-stringify';
import { z } from 'zod';
import type { Collection } from './declaration.js';
import type { ResourceParts } from './resource.js';
import type { View } from './view.js';

/** Rows that one statement of an export reads. */
const EXPORT_PAGE = 500;

/** The parameters of an export: the filters and the order of the list. */
export function exportQuery({ listQuery }: ResourceParts): z.ZodObject {
  const {
    limit: _limit,
    cursor: _cursor,
    fields: _fields,
    include_total: _total,
    expand: _expand,
    ...rest
  } = listQuery.shape;
  return z.strictObject(rest);
}

/**
 * The list as CSV (RFC 4180), read page by page while it is sent. A value that a spreadsheet would run as a formula
 * begins with `'`.
 */
export async function csvFile(
  { name, resource }: Collection,
  view: View,
  read: (query: ListQuery) => Promise<Page<object>>,
  query: ListQuery,
): Promise<StreamableFile> {
  const next = (cursor?: string): Promise<Page<object>> =>
    read({ ...query, limit: EXPORT_PAGE, cursor, include_total: false });
  // Errors of the first page still have a status.
  const first = await next();
  async function* rows(): AsyncGenerator<object> {
    for (let page = first; ; page = await next(page.next)) {
      for (const row of page.rows) yield view.summary(row);
      if (page.next === null) return;
    }
  }
  const columns = Object.keys(resource.summary.shape).filter((member) => !(member in resource.expand));
  const csv = stringify({ header: true, columns, escape_formulas: true, cast: { boolean: String } });
  const stream = Readable.from(rows());
  stream.once('error', (error) => csv.destroy(error));
  return new StreamableFile(stream.pipe(csv), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${name.replaceAll('/', '-')}.csv"`,
  });
}
