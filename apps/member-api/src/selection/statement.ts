import { isUuid } from '@lyceum/contracts';
import type { DownloadScope } from '#src/download-links/download-links.js';
import type { CursorKeys, CursorScope } from '#src/paging/cursor.js';
import type { ConnectionSource } from './sources.js';
import { uuidOfId } from '#src/schema/global-id.js';
import type { PrefixedType } from '#src/schema/global-id.js';
import { argumentOf } from './arguments.js';
import { LIMITS } from './limits.policy.js';
import type { SelectedField, Variables } from './selection.js';

/** The page of one connection of one request. */
export interface Page {
  readonly size: number;
  readonly after: CursorKeys | null;
  readonly before: CursorKeys | null;
}

/** Values of a request for the parameters of a statement. */
export interface Binding {
  readonly site: string;
  readonly person: string;
  /** `sub` of the token. */
  readonly member: string;
  readonly baseUrl: string;
  /** The object that a mutation changed. */
  readonly id?: string;
  /** Coerced. */
  readonly variables: Variables;
  /** Pages in the order of the connections of the statement. */
  readonly pages: readonly Page[];
  /** Signs the download links. */
  readonly downloads: DownloadScope;
  scope(list: string): CursorScope;
}

export interface ConnectionField {
  readonly field: SelectedField;
  readonly source: ConnectionSource;
}

/**
 * A compiled selection: one row with the column `data`, JSON as text; no row when the site has no such member. `data`
 * is NULL when its texts are longer than a response may be.
 */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly ((binding: Binding) => unknown)[];
  readonly connections: readonly ConnectionField[];
  /** True when it contains messages to format. */
  readonly hasMessages: boolean;
}

const NAMED = {
  site: { type: 'uuid', bind: (binding: Binding) => binding.site },
  person: { type: 'uuid', bind: (binding: Binding) => binding.person },
  member: { type: 'uuid', bind: (binding: Binding) => binding.member },
  base_url: { type: 'text', bind: (binding: Binding) => binding.baseUrl },
  id: { type: 'uuid', bind: (binding: Binding) => binding.id ?? null },
  download_inner: { type: 'bytea', bind: (binding: Binding) => binding.downloads.key.inner },
  download_outer: { type: 'bytea', bind: (binding: Binding) => binding.downloads.key.outer },
  download_expires: { type: 'bigint', bind: (binding: Binding) => binding.downloads.expires },
} as const;
/** `:name`, but not the `::type` of a cast. */
const NAME = new RegExp(`(?<!:):(${Object.keys(NAMED).join('|')})\\b`, 'g');
const ARGUMENT = /:argument\((\w+) ([\w[\]]+)\)/g;
const NODE = /:node\((\w+)\)/g;

/** Collects the parameters and connections of a statement while it is compiled. */
export class StatementBuilder {
  readonly #parameters: ((binding: Binding) => unknown)[] = [];
  readonly #numbers = new Map<string, string>();
  readonly #connections: ConnectionField[] = [];
  #fields = 0;
  hasMessages = false;
  hasLongTexts = false;

  parameter(type: string, bind: (binding: Binding) => unknown): string {
    this.#parameters.push(bind);
    return `$${this.#parameters.length}::${type}`;
  }

  /** Returns the same parameter for repeated calls. */
  once(key: string, type: string, bind: (binding: Binding) => unknown): string {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const made = this.parameter(type, bind);
    this.#numbers.set(key, made);
    return made;
  }

  /** Replaces `:site`, `:person` and the others by parameters. */
  named(sql: string): string {
    return sql.replaceAll(NAME, (_match, name: keyof typeof NAMED) => {
      const { type, bind } = NAMED[name];
      return this.once(name, type, bind);
    });
  }

  /** Does the same, and replaces the arguments of the field by parameters. */
  ofField(sql: string, field: SelectedField): string {
    const place = (this.#fields += 1);
    const value = (name: string, type: string, read: (given: unknown) => unknown): string =>
      this.once(`${name} ${type} ${place}`, type, ({ variables }) => read(argumentOf(field, name, variables)));
    return this.named(sql)
      .replaceAll(ARGUMENT, (_match, name: string, type: string) => value(name, type, (given) => storable(given, type)))
      .replaceAll(NODE, (_match, type: PrefixedType) => value('id', 'uuid', (id) => uuidOfId(type, id) ?? null));
  }

  /** The index of the connection in the pages of a binding. */
  connection(field: SelectedField, source: ConnectionSource): number {
    return this.#connections.push({ field, source }) - 1;
  }

  build(data: string, from: string): Statement {
    const selected = `select ${data} as data from ${this.named(from)}`;
    // OFFSET 0 keeps PostgreSQL from computing the text twice.
    const measured = `select case when octet_length(s.data) <= ${LIMITS.responseBytes} then s.data end as data from (${selected} offset 0) s`;
    const text = this.hasLongTexts ? measured : selected;
    return { text, parameters: this.#parameters, connections: this.#connections, hasMessages: this.hasMessages };
  }
}

/** PostgreSQL rejects a malformed UUID and a text with a NUL. Both are replaced by a value that no row has. */
function storable(given: unknown, type: string): unknown {
  if (typeof given !== 'string') return given ?? null;
  if (type === 'uuid') return isUuid(given.toLowerCase()) ? given : NIL;
  return given.includes('\0') ? null : given;
}

const NIL = '00000000-0000-0000-0000-000000000000';
