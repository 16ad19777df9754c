import { messageSql } from '#src/messages/message-json.js';
import { prefixOf } from '#src/schema/global-id.js';
import type { PrefixedType } from '#src/schema/global-id.js';

/**
 * The SQL of the fields of the schema. The repository of each feature declares it for its own types; the compiler
 * builds statements from it. Expressions may use the parameters `:site`, `:person`, `:member`, `:base_url`, `:id` in
 * payloads, and those that sign downloads. The `FROM` clause of a field may use its arguments: `argument` and
 * `nodeUuid`.
 */
export type FieldSource = ValueSource | SameRowSource | OneSource | NodeSource | ListSource | ConnectionSource;

/** A field that reads more rows than it returns objects, or objects without pages. */
interface Priced {
  /** Cost points of these rows or objects; default 0. */
  readonly points?: number;
  /** Cost points of the field for each item of the list around it. */
  readonly pointsEach?: number;
}

/** An expression that yields JSON as text and is never NULL. */
export interface ValueSource extends Priced {
  readonly kind: 'value';
  readonly json: string;
  /** True for a message, which is formatted after the query. */
  readonly message?: boolean;
  /** True for a text without a short limit: the response is measured before it is sent. */
  readonly long?: boolean;
}

/** An object whose fields are columns of the same row. */
export interface SameRowSource {
  readonly kind: 'same-row';
}

/** An object, or one of several types of a union, each from at most one row; `null` without a row. */
export interface OneSource extends Priced {
  readonly kind: 'one';
  /** `FROM` clause with its `WHERE`, by type name. */
  readonly from: Readonly<Record<string, string>>;
}

/** The object of the global id in the argument `id`. The type in the id decides which clause is compiled. */
export interface NodeSource {
  readonly kind: 'node';
  /** `FROM` clause with its `WHERE`, by type name. */
  readonly from: Readonly<Record<string, string>>;
}

/** A short list without pages. */
export interface ListSource extends Priced {
  readonly kind: 'list';
  readonly from: string;
  readonly orderBy: string;
  /** Number of its items for the fields that cost points for each of them; default 1. */
  readonly items?: number;
}

/** A list in pages, newest first. */
export interface ConnectionSource {
  readonly kind: 'connection';
  /** Name of the list in its cursors. */
  readonly name: string;
  /** `FROM` clause with its `WHERE`. */
  readonly from: string;
  /** `timestamptz NOT NULL` and `uuid NOT NULL`, unique together, with an index in this order, both descending. */
  readonly keys: readonly [time: string, id: string];
  /** Conditions by argument. An argument that is null or missing does not filter. */
  readonly filters?: Readonly<Record<string, Filter>>;
}

export interface Filter {
  readonly type: ArgumentType;
  /** Builds the condition from the SQL of the argument's value. */
  readonly where: (value: string) => string;
}

export type ArgumentType = 'text' | 'text[]' | 'uuid' | 'boolean';

/** The value of an argument of the field; NULL without it. */
export const argument = (name: string, type: ArgumentType): string => `:argument(${name} ${type})`;

/** The UUID of the global id in the argument `id` of the field; NULL for an id of another type. */
export const nodeUuid = (type: PrefixedType): string => `:node(${type})`;

/** Selects the rows whose state, as spelled in the schema, is in the argument `states`. */
export const byState = (state: string): Record<'states', Filter> => ({
  states: { type: 'text[]', where: (value) => `${state} = any(${value})` },
});

export type TypeSource = Readonly<Record<string, FieldSource>>;
/** Sources by type name. */
export type Sources = Readonly<Record<string, TypeSource>>;

const value = (json: string): ValueSource => ({ kind: 'value', json });

export const sql = {
  /** The global id of an object of the type. */
  id: (type: PrefixedType, column: string): ValueSource => value(`'"${prefixOf(type)}' || ${column} || '"'`),
  /** Text that needs no escapes in JSON. */
  name: (column: string): ValueSource => value(`'"' || ${column} || '"'`),
  uuid: (column: string): ValueSource => value(`'"' || ${column} || '"'`),
  text: (column: string): ValueSource => value(`to_json(${column})::text`),
  texts: (column: string): ValueSource => value(`array_to_json(${column})::text`),
  boolean: (condition: string): ValueSource => value(`(${condition})::text`),
  number: (column: string): ValueSource => value(`(${column})::text`),
  /**
   * RFC 3339 in UTC with milliseconds. `to_json` of a `timestamp` does not depend on the session and is faster than
   * `to_char`; it drops trailing zeros of the fraction, which the template adds again.
   */
  instant: (column: string): ValueSource =>
    value(`overlay('"0000-00-00T00:00:00.000Z"' placing left(to_json(${column} at time zone 'UTC')::text, -1) from 1)`),
  nullable: ({ json }: ValueSource): ValueSource => value(`coalesce(${json}, 'null')`),
  /** A text of the catalog: SQL of its key, its parameters and its reader. */
  message: (key: string, parameters: string, reader: string, nullable = false): ValueSource => ({
    ...value(messageSql(key, parameters, reader, nullable)),
    message: true,
  }),
  sameRow: { kind: 'same-row' } as SameRowSource,
};
