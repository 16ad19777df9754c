import type { Principal } from '@lyceum/contracts';
import type { Preconditions, Write, Written } from '@lyceum/rest';
import type { EntityManager } from 'typeorm';

export type { Written } from '@lyceum/rest';

/** Members of every request, by REST or by a tool. */
interface OperationRequest {
  readonly principal: Principal;
}

export interface ListRequest<Query> extends OperationRequest {
  readonly query: Query;
}

/** One object, by the id in the path or the argument of a tool. */
export interface ObjectRequest extends OperationRequest {
  readonly id: string;
}

/** A write in its transaction, which is rolled back after a dry run. */
export interface CreateRequest<Body> extends OperationRequest {
  readonly body: Body;
  readonly write: Write;
  readonly tx: EntityManager;
}

/** Many creations in one transaction. */
export type BulkRequest<Item> = CreateRequest<readonly Item[]>;

/** A change of one object that exists. */
export interface ChangeRequest<Body = undefined> extends CreateRequest<Body>, Preconditions {
  readonly id: string;
}

/** An object by the caller's own id. */
export interface UpsertRequest<Body, Patch> extends CreateRequest<Body>, Preconditions {
  readonly external_id: string;
  /** The members that the body names: an object that exists keeps the others. */
  readonly patch: Patch;
}

/** Rows of a page, or one row, whose other objects a response shows. */
export interface ExpandRequest<Row> extends OperationRequest {
  readonly rows: readonly Row[];
}

/** The id of the parent, in a nested collection. */
export interface OfParent {
  readonly parent_id: string;
}

/** A row after a creation. `created`: the row did not exist before. */
export interface Created<Row> extends Written<Row> {
  readonly created: boolean;
}
