import type { EntityEvents, Principal } from '@lyceum/contracts';
import type { NewEvent } from '@lyceum/messaging';
import type { RowClass } from '@lyceum/platform';
import type { Condition, Listing, Preconditions } from '@lyceum/rest';
import type { EntityManager } from 'typeorm';
import type { SiteRow } from './site-row.js';

/** The scope of rows: all rows of a site, or those that the fence lets the caller see. */
export type Caller = Pick<Principal, 'site_id'> & Partial<Principal>;

/** A condition on the rows of a table beside their site. `?` stands for the value, if it has one. */
export interface Fence {
  readonly condition: string;
  readonly value?: unknown;
  /** SQL by property, for what a caller sees of a row in another way: a count, without what is beyond the fence. */
  readonly narrowed?: Readonly<Record<string, string>>;
}

export type EventName<E extends EntityEvents> = E['names'][number];

/** The change of a part: `created`, `updated`, `deleted` or a state, with the fields that it set. */
export interface PartChange {
  readonly name: string;
  readonly changed: readonly string[];
}

export interface StoreDeclaration<Row extends SiteRow, E extends EntityEvents> {
  readonly entity: RowClass<Row>;
  /** The resource: how its lists are filtered and sorted. */
  readonly resource: Listing;
  /** SQL expressions that are read with each row, by property. */
  readonly computed?: Readonly<Record<string, string>>;
  /** Constraint by the member of the API whose value it keeps unique at a site, or within the columns before it. */
  readonly unique?: Readonly<Record<string, string | readonly [...scope: string[], member: string]>>;
  /** Rows without events are only read. */
  readonly events?: E;
  /** The data of an event. The name says why it is published. */
  readonly data?: (row: Row, event: EventName<E>) => NewEvent<E>['data'];
  /** Publishes changes of rows as events of another aggregate, which they are parts of, in place of `events`. */
  readonly publishWith?: (tx: EntityManager, rows: readonly Row[], change: PartChange) => Promise<void>;
  /** Rows that the caller may see beside the fence of the site; undefined: all. */
  readonly fence?: (caller: Caller) => Fence | undefined;
}

/** A filter that is no column needs a condition. `tag` needs the column `tags`. */
export type Filtered<Row, R> = R extends { readonly filterSchemas: infer Filters }
  ? [Unexplained<Row, R, Filters>] extends [never]
    ? unknown
    : { readonly conditions: Readonly<Record<Unexplained<Row, R, Filters> & string, Condition>> }
  : unknown;
type Unexplained<Row, R, Filters> = Exclude<
  keyof Filters,
  keyof Row | ConditionsOf<R> | (Row extends { readonly tags: unknown } ? 'tag' : never)
>;
type ConditionsOf<R> = R extends { readonly conditions: infer Conditions } ? keyof Conditions : never;

/** The object to change, the parent that it has, and the entity tags that it must and must not have. */
export interface Key extends Preconditions {
  readonly id: string;
  readonly within?: Readonly<Record<string, string>>;
}

/** The own id of an object to create or change, and the entity tags that it must and must not have. */
export interface UpsertKey extends Preconditions {
  readonly external_id: string;
}

/** The change of a locked row, and the event that says why. Undefined: nothing changes. */
export interface Decision<Row, E extends EntityEvents> {
  readonly event: EventName<E>;
  readonly changes: Partial<Row>;
  /** Members of the event that the row does not have. */
  readonly also?: Partial<NewEvent<E>['data']>;
  /** Further work with the locked row, before it is written: what the row computes of other tables follows from it. */
  readonly with?: (tx: EntityManager, row: Row) => Promise<unknown>;
  /** Further work with the written row, after its event. */
  readonly after?: (tx: EntityManager, row: Row) => Promise<unknown>;
  /** True for a change that is no edit: `revision`, which the row needs, `updated_at` and so the entity tag stay. */
  readonly keepsTag?: boolean;
}

/** A locked row and its new values. */
export interface RowChange<Row> {
  readonly row: Row;
  readonly changes: Partial<Row>;
}

/** Changes of different rows, which have the same event. */
export interface ChangeOfMany<Row, E extends EntityEvents> {
  readonly event: EventName<E>;
  /** Decides on the locked row of a key. Undefined: nothing changes. */
  readonly changesOf: (row: Row, index: number) => Partial<Row> | undefined;
  /** Further work with all of them, before they are written, as `with` of a decision. */
  readonly with?: (changes: readonly RowChange<Row>[]) => Promise<void>;
}

/** Decides on a locked row. A promise is for facts of other services, which may need locks of their own. */
export type Decide<Row, E extends EntityEvents> = (row: Row) => Decided<Row, E> | Promise<Decided<Row, E>>;
type Decided<Row, E extends EntityEvents> = Decision<Row, E> | undefined;

/** Equal values that the rows of a list or a look-up have, such as the id of the parent. */
export type Within<Row> = { readonly [K in keyof Row]?: string };

/** A condition that keeps a row (`site_id` and `id` are `$1` and `$2`), and the error that says why. */
export interface Unless {
  readonly sql: string;
  readonly error: Error;
}

export const NEVER: Unless = { sql: 'false', error: new Error('A locked row is missing') };

export type Also<Row, E extends EntityEvents> = Decision<Row, E>['also'];

/** Rows that have the unique values of a change, by the constraint. */
export type Others<Row> = ReadonlyMap<string, Row>;
