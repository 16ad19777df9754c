import { Cursors } from './cursor.js';
import type { CursorContext, Position } from './cursor.js';
import type { Page } from './page.js';

interface Row {
  readonly id: string;
  readonly total_count?: number;
}

/** The members of a query that are not filters. */
interface PagedQuery {
  readonly cursor?: string | undefined;
  readonly sort: string;
  readonly limit: number;
  readonly fields?: unknown;
  readonly include_total?: boolean;
}

/** Opens the cursor of a query, and converts the rows of a list statement to a page with the next cursor. */
export class Pager {
  readonly #cursors: Cursors;

  constructor(cursors: Cursors) {
    this.#cursors = cursors;
  }

  /**
   * `read` gets the position to go on from, and gives at most one row more than the limit. With a total, a list without
   * rows is one row without an id.
   */
  async page<R extends Row>(
    list: { readonly collection: string; readonly site_id: string },
    query: PagedQuery,
    read: (after: Position | undefined) => Promise<readonly R[]>,
  ): Promise<Page<R>> {
    const { cursor, limit, sort, fields: _fields, include_total: _total, ...filters } = query;
    const context: CursorContext = { collection: list.collection, site_id: list.site_id, sort, filters };
    const found = await read(cursor === undefined ? undefined : this.#cursors.open(context, cursor));
    const total = found[0]?.total_count;
    const rows = found.filter((row) => row.id !== null).slice(0, limit);
    const last = found.length > limit ? rows.at(-1) : undefined;
    const next = last === undefined ? null : this.#cursors.seal(context, [sortValue(last, sort), last.id]);
    return { rows, next, total };
  }
}

function sortValue(row: object, sort: string): string {
  const value: unknown = Reflect.get(row, sort.replace(/^-/, ''));
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw new Error(`The rows cannot be sorted by ${sort}`);
}
