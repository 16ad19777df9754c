import { cursorSql } from '#src/paging/cursor.js';
import { NotCompilable, jsonObject, only } from './json-object.js';
import type { SelectionCompiler } from './json-object.js';
import { JsonText } from './json-text.js';
import { has } from './arguments.js';
import { isBackward } from './pages.js';
import type { SelectedField } from './selection.js';
import { argument } from './sources.js';
import type { ConnectionSource } from './sources.js';
import type { Binding } from './statement.js';

/**
 * Compiles a Relay connection to one subquery. `page` yields a row per node, with a JSON column for each of `nodes` and
 * `edges` that is selected. The outer query aggregates them. Fields that are not selected are not in the statement.
 */
export function compileConnection(
  compiler: SelectionCompiler,
  source: ConnectionSource,
  field: SelectedField,
): JsonText {
  const parts = new ConnectionParts(compiler, source, field);
  const json = jsonObject(only(field), (part) => parts.field(part));
  return parts.readsRows ? new JsonText().expression(`select ${json.toSql()} from (${parts.page()}) page`) : json;
}

/** Sort keys before and after every row, for cursors whose variable is missing. */
const NEWEST = { time: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
const OLDEST = { time: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

class ConnectionParts {
  readonly #columns: string[] = [];
  #fromSql: string | undefined;
  readonly #place: number;
  readonly #backward: boolean;
  readonly #asksForMore: boolean;
  readsRows = false;

  constructor(
    private readonly compiler: SelectionCompiler,
    private readonly source: ConnectionSource,
    private readonly selected: SelectedField,
  ) {
    this.#place = compiler.statement.connection(selected, source);
    this.#backward = isBackward(selected, compiler.variables);
    const flag = this.#backward ? 'hasPreviousPage' : 'hasNextPage';
    this.#asksForMore = only(selected).fields.some(
      ({ name, beneath }) => name === 'pageInfo' && beneath[0]?.fields.some((part) => part.name === flag),
    );
  }

  /** Created on first use: PostgreSQL rejects a parameter that the statement does not use. */
  get #from(): string {
    const { source, selected, compiler } = this;
    return (this.#fromSql ??= compiler.statement.ofField(`${source.from}${filtersOf(source, selected)}`, selected));
  }

  field(part: SelectedField): JsonText {
    switch (part.name) {
      case 'nodes':
        return this.#items(this.compiler.object(only(part)));
      case 'edges':
        return this.#items(jsonObject(only(part), (edge) => this.#edge(edge)));
      case 'pageInfo':
        return jsonObject(only(part), (info) => this.#pageInfo(info));
      case 'totalCount':
        return new JsonText().expression(`(select count(*) from ${this.#from})::text`);
      default:
        throw new NotCompilable(`${this.selected.name}.${part.name}`);
    }
  }

  /** The rows of the page, newest first, or oldest first from the end; one more to compute `pageInfo`. */
  page(): string {
    const { keys } = this.source;
    const order = keys.map((key) => `${key} ${this.#backward ? 'asc' : 'desc'}`).join(', ');
    const columns = [
      ...this.#columns.map((column, index) => `${column} as c${index}`),
      `row_number() over (order by ${order}) as n`,
      `${keys[0]} as k0`,
      `${keys[1]} as k1`,
    ];
    const limit = this.#asksForMore ? `${this.#size()} + 1` : this.#size();
    const bounds = `${this.#bound('after', '<')}${this.#bound('before', '>')}`;
    return `select ${columns.join(', ')} from ${this.#from}${bounds} order by ${order} limit ${limit}`;
  }

  #items(item: JsonText): JsonText {
    this.readsRows = true;
    const column = `c${this.#columns.push(item.toSql()) - 1}`;
    const order = this.#backward ? ' order by n desc' : '';
    const within = this.#asksForMore ? ` filter (where n <= ${this.#size()})` : '';
    const items = `coalesce(string_agg(${column}, ','${order})${within}, '')`;
    return new JsonText().constant('[').expression(items).constant(']');
  }

  #edge(part: SelectedField): JsonText {
    if (part.name === 'node') return this.compiler.object(only(part));
    if (part.name === 'cursor') return new JsonText().expression(`'"' || ${this.#cursor(...this.source.keys)} || '"'`);
    throw new NotCompilable(`${this.selected.name}.edges.${part.name}`);
  }

  #pageInfo(part: SelectedField): JsonText {
    switch (part.name) {
      case 'hasNextPage':
        return this.#backward ? this.#given('before') : this.#more();
      case 'hasPreviousPage':
        return this.#backward ? this.#more() : this.#given('after');
      case 'startCursor':
        return this.#endOf(!this.#backward);
      case 'endCursor':
        return this.#endOf(this.#backward);
      default:
        throw new NotCompilable(`${this.selected.name}.pageInfo.${part.name}`);
    }
  }

  #more(): JsonText {
    this.readsRows = true;
    return new JsonText().expression(`(count(*) > ${this.#size()})::text`);
  }

  /** A page after a cursor has a previous page, which contains the row of the cursor. */
  #given(argument: 'after' | 'before'): JsonText {
    if (!has(this.selected, argument)) return new JsonText().constant('false');
    const given = (binding: Binding): string => String(this.#pageOf(binding)[argument] !== null);
    return new JsonText().expression(this.compiler.statement.parameter('text', given));
  }

  /** The cursor of the first or last row of the page; signed once instead of per row. */
  #endOf(first: boolean): JsonText {
    this.readsRows = true;
    const index = first ? '1' : `least(count(*), ${this.#size()})`;
    const key = (column: string): string => `(array_agg(${column} order by n))[${index}]`;
    return new JsonText().expression(`coalesce('"' || ${this.#cursor(key('k0'), key('k1'))} || '"', 'null')`);
  }

  #cursor(time: string, id: string): string {
    const { statement } = this.compiler;
    const { name } = this.source;
    const inner = statement.once(`inner ${name}`, 'bytea', (binding) => binding.scope(name).key.inner);
    const outer = statement.once(`outer ${name}`, 'bytea', (binding) => binding.scope(name).key.outer);
    return cursorSql(time, id, inner, outer);
  }

  #size(): string {
    return this.compiler.statement.once(`size ${this.#place}`, 'int', (binding) => this.#pageOf(binding).size);
  }

  #bound(argument: 'after' | 'before', operator: '<' | '>'): string {
    if (!has(this.selected, argument)) return '';
    const { statement } = this.compiler;
    const absent = argument === 'after' ? NEWEST : OLDEST;
    const time = statement.parameter('timestamptz', (binding) => (this.#pageOf(binding)[argument] ?? absent).time);
    const id = statement.parameter('uuid', (binding) => (this.#pageOf(binding)[argument] ?? absent).id);
    return ` and (${this.source.keys.join(', ')}) ${operator} (${time}, ${id})`;
  }

  #pageOf(binding: Binding): Binding['pages'][number] {
    const page = binding.pages[this.#place];
    if (page === undefined) throw new Error(`The binding has no page for ${this.selected.key}`);
    return page;
  }
}

/** Only the filters in the document, so that they do not change the plan of an unfiltered list. */
function filtersOf({ filters = {} }: ConnectionSource, selected: SelectedField): string {
  const given = Object.entries(filters).filter(([name]) => has(selected, name));
  const conditions = given.map(([name, { type, where }]) => {
    const value = argument(name, type);
    return ` and (${value} is null or ${where(value)})`;
  });
  return conditions.join('');
}
