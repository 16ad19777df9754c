import { BulkWrites, IdempotentWrites, WriteResponse } from '@lyceum/rest';
import { Inject } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import type { Collection, OperationDeclaration, OperationKind, OperationsClass } from './declaration.js';
import { snake } from './names.js';
import type { Created, Written } from './requests.js';
import { View } from './view.js';

/** The methods of an operations class, as the edges call them: by the name that the declaration gives. */
export type Operations = Readonly<Record<string, (request: object) => Promise<never>>>;

/** Dependencies of the REST edge and the tool edge of a collection. */
export interface Edge {
  readonly operations: Operations;
  readonly writes: IdempotentWrites;
  readonly bulkWrites: BulkWrites;
}

/** A class that Nest gives the operations and the writes. Methods are added to its prototype. */
export function edgeClass(type: OperationsClass, suffix: string): Type<Edge> {
  class CollectionEdge implements Edge {
    constructor(
      readonly operations: Operations,
      readonly writes: IdempotentWrites,
      readonly bulkWrites: BulkWrites,
    ) {}
  }
  Object.defineProperty(CollectionEdge, 'name', { value: type.name.replace('Operations', suffix) });
  Inject(type)(CollectionEdge, undefined, 0);
  Inject(IdempotentWrites)(CollectionEdge, undefined, 1);
  Inject(BulkWrites)(CollectionEdge, undefined, 2);
  return CollectionEdge;
}

export function isRead(kind: OperationKind): boolean {
  return kind === 'list' || kind === 'get' || kind === 'export';
}

/** Names of the ids in the paths of a collection. Empty: the paths have no ids. */
export function idsOf({ parent, singleton, resource }: Collection): { readonly parentId: string; readonly id: string } {
  const own = parent === undefined ? 'id' : `${snake(resource.one)}_id`;
  return { parentId: parent === undefined ? '' : `${snake(parent.one)}_id`, id: singleton === true ? '' : own };
}

/** How the objects of an operation look: those of the collection, or others that an action names. */
export function viewOf(collection: Collection, { returns }: Pick<OperationDeclaration, 'returns'>): View {
  return new View(returns ?? collection);
}

interface Shown {
  readonly object: object;
  readonly headers: Readonly<Record<string, string>>;
  /** Members of the request, in the form of a body. */
  readonly sent: object;
}

/** Returns the response to a write, with the members that the request set. */
export function writeResponse(operation: OperationDeclaration, done: Written<object>, shown: Shown): WriteResponse {
  const { object, headers, sent } = shown;
  if (operation.kind === 'delete') return WriteResponse.gone(object);
  if (!('created' in done)) return WriteResponse.of(object, headers, { sent, changed: done.changed });
  if ((done as Created<object>).created) return WriteResponse.created(object, headers, sent);
  const { knownBy } = operation;
  const named =
    done.changed || knownBy === undefined ? sent : Object.fromEntries(knownBy.map((member) => [member, true]));
  return WriteResponse.of(object, headers, { sent: named, changed: done.changed });
}
