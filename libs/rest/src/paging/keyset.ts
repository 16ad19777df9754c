import { preparedStatement } from '@lyceum/platform';
import type { PreparedStatement } from '@lyceum/platform';
import type { Position } from './cursor.js';
import { COMPARISONS, DEFAULT_LIMIT, LINE, MAX_LIMIT } from './list-query.js';
import type { ListQuery } from './list-query.js';
import { containsWord, wordsOf } from './search.policy.js';

/** A column that a list can be sorted by. The id breaks ties, so an order is total and a page never repeats a row. */
export interface SortColumn {
  readonly column: string;
  readonly type: 'timestamptz' | 'int' | 'text' | 'uuid';
}

export interface Keyset {
  /** Columns and table: `select <columns> from <table>`. */
  readonly columns: string;
  readonly table: string;
  readonly where: Where;
  readonly sort: SortColumn;
  readonly descending: boolean;
  readonly after: Position | undefined;
  readonly limit: number;
  readonly withTotal: boolean;
  /** SQL of a text in place of the columns. */
  readonly line?: string | undefined;
}

/** SQL conditions joined by `and`, with their values. The first condition is always the site. */
export class Where {
  readonly #conditions: string[] = [];
  readonly #values: unknown[] = [];
  /** The place of a condition that one of several conditions fulfills, and these. */
  #several: { readonly index: number; readonly each: readonly string[] } | undefined;

  constructor(site: { readonly site_id: string }) {
    this.and('site_id = ?', site.site_id);
  }

  /** Adds a condition, in which `?` is the value. An undefined value adds nothing. */
  and(condition: string, value: unknown): this {
    if (value === undefined) return this;
    this.#values.push(value);
    this.#conditions.push(condition.replaceAll('?', `$${this.#values.length}`));
    return this;
  }

  /**
   * Adds a condition for each word of `q`: `text`, an indexed expression, contains it. An undefined `q` adds nothing.
   */
  words(text: string, q: string | undefined): this {
    for (const word of q === undefined ? [] : wordsOf(q)) this.and(containsWord(text, '?'), word);
    return this;
  }

  /** Adds the comparisons of an instant that `rangeFilters` declares, such as `created_at[gte]`. */
  range(column: string, query: object): this {
    for (const [name, operator] of Object.entries(COMPARISONS)) {
      this.and(`${column} ${operator} ?`, Reflect.get(query, `${column}[${name}]`));
    }
    return this;
  }

  /** Adds the condition that a column has one of the values. */
  anyOf(column: string, values: readonly unknown[]): this {
    const places = values.map((value) => `$${this.#values.push(value)}`);
    this.#several = { index: this.#conditions.length, each: places.map((place) => `${column} = ${place}`) };
    this.#conditions.push(`${column} in (${places.join(', ')})`);
    return this;
  }

  /** Adds a condition without a value. */
  also(condition: string): this {
    this.#conditions.push(condition);
    return this;
  }

  get text(): string {
    return this.#conditions.join(' and ');
  }

  /** The conditions for each of several values. An index has the rows of one value in order, and not those of all. */
  get branches(): readonly string[] {
    if (this.#several === undefined) return [this.text];
    const { index, each } = this.#several;
    return each.map((condition) => this.#conditions.with(index, condition).join(' and '));
  }

  get values(): readonly unknown[] {
    return this.#values;
  }

  /** True when the site is the only value: an index has its rows in the order of the list. */
  get isPlain(): boolean {
    return this.#values.length === 1;
  }
}

/**
 * Returns the statement for one page, with one row more than the limit, which shows that a next page exists. The text
 * depends on the filters and on a usual limit, not on values, so its hash names a prepared statement.
 */
export function pageStatement(keyset: Keyset): PreparedStatement {
  const { columns, line, table, where, sort, descending, after, limit, withTotal } = keyset;
  const values = [...where.values];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const direction = descending ? 'desc' : 'asc';
  const position =
    after === undefined
      ? ''
      : ` and (${sort.column}, id) ${descending ? '<' : '>'} (${place(after[0])}::${sort.type}, ${place(after[1])}::uuid)`;
  const read = line === undefined ? columns : `id, ${line} as line`;
  // PostgreSQL plans a statement again each time if its limit is a parameter. Callers do not choose that of lines. A
  // plan for all values of a filter would be a bad one for those that few rows have (ADR 194).
  const isUsual = !withTotal && where.isPlain && [DEFAULT_LIMIT, MAX_LIMIT].includes(limit);
  const most = line === undefined && !isUsual ? place(limit + 1) : limit + 1;
  const end = `order by ${sort.column} ${direction}, id ${direction} limit ${most}`;
  const parts = where.branches.map((branch) => `select ${read} from ${table} where ${branch}${position} ${end}`);
  const page =
    parts.length === 1
      ? parts.join()
      : `select * from (${parts.map((part) => `(${part})`).join(' union all ')}) found ${end}`;
  // The total comes with the rows, also when there are none: it is the left side of the join.
  const text = withTotal
    ? `select total.total_count, page.* from (select count(*)::int as total_count from ${table} where ${where.text}) total left join (${page}) page on true order by page.${sort.column} ${direction}, page.id ${direction}`
    : page;
  return preparedStatement(table, text, values);
}

/** Returns the statement for the row of a unique key. `lock` can lock the row: `for no key update`. */
export function keyStatement(table: string, columns: string, where: Where, lock = ''): PreparedStatement {
  const text = `select ${columns} from ${table} where ${where.text} ${lock}`.trimEnd();
  return preparedStatement(table, text, where.values);
}

/** A table of a list over several tables. */
interface Source {
  readonly columns: string;
  readonly table: string;
  /** SQL condition in addition to `where`. */
  readonly condition: string;
  /** Searched text: an indexed expression. */
  readonly text: string;
}

/**
 * Returns the statement for one page of several tables together. It merges a page of each table, which an index of the
 * table provides in order.
 */
export function unionStatement(
  union: Pick<Keyset, 'where' | 'sort' | 'after' | 'limit'> & {
    readonly name: string;
    readonly sources: readonly Source[];
    readonly q: string | undefined;
  },
): PreparedStatement {
  const { name, sources, q, where, sort, after, limit } = union;
  const values = [...where.values];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const position =
    after === undefined
      ? ''
      : ` and (${sort.column}, id) > (${place(after[0])}::${sort.type}, ${place(after[1])}::uuid)`;
  const end = `order by ${sort.column}, id limit ${place(limit + 1)}`;
  const places = (q === undefined ? [] : wordsOf(q)).map(place);
  const parts = sources.map(({ columns, table, condition, text: searched }) => {
    const words = places.map((word) => ` and ${containsWord(searched, word)}`).join('');
    return `(select ${columns} from ${table} where ${where.text} and ${condition}${words}${position} ${end})`;
  });
  const text = `select * from (${parts.join(' union all ')}) found ${end}`;
  return preparedStatement(name, text, values);
}

/** Parses `sort=-name`. Names that end in `_at` are instants, and positions are numbers. */
function sortOf(sort: string): Pick<Keyset, 'sort' | 'descending'> {
  const column = sort.replace('-', '');
  return { sort: { column, type: typeOf(column) }, descending: sort.startsWith('-') };
}

function typeOf(column: string): SortColumn['type'] {
  // The order of a walk through all rows: no change moves a row in it. No list offers it to callers.
  if (column === 'id') return 'uuid';
  if (column.endsWith('_at')) return 'timestamptz';
  return column === 'position' ? 'int' : 'text';
}

/** Returns the statement for one page of a list query. */
export function listStatement(
  { columns, table, where }: Pick<Keyset, 'columns' | 'table' | 'where'>,
  query: Pick<ListQuery, 'sort' | 'limit' | 'include_total' | typeof LINE>,
  after: Position | undefined,
): PreparedStatement {
  const { limit, include_total: withTotal, [LINE]: line } = query;
  return pageStatement({ columns, line, table, where, ...sortOf(query.sort), after, limit, withTotal });
}
