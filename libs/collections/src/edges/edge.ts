import { sharedId } from '@lyceum/contracts';
import { WriteResponse, idIn } from '@lyceum/rest';
import type { BulkWrites, IdempotentWrites } from '@lyceum/rest';
import type { z } from 'zod';
import type { CollectionParts, Operation, OperationKind } from '../declaration/declared.js';
import { snake } from '../declaration/names.js';
import type { Created, Written } from '../declaration/requests.js';

/** Dependencies of the REST edge and the tool edge of a collection. */
export interface Edge {
  /** The first argument of `run`. */
  readonly service: unknown;
  readonly writes: IdempotentWrites;
  readonly bulkWrites: BulkWrites;
}

export function isRead(kind: OperationKind): boolean {
  return kind === 'list' || kind === 'get';
}

/** Names of the ids in the paths of a collection. Empty: the paths have no ids. */
export function idsOf({ parent, singleton, resource }: CollectionParts): {
  readonly parentId: string;
  readonly id: string;
} {
  const own = parent === undefined ? 'id' : `${snake(resource.one)}_id`;
  return { parentId: parent === undefined ? '' : `${snake(parent.one)}_id`, id: singleton === true ? '' : own };
}

/** The schema of the id of an object in requests. */
export function idSchemaOf({ memberType }: CollectionParts['resource']): z.ZodType<string, string> {
  return memberType === undefined ? idIn : sharedId(memberType);
}

interface Shown {
  readonly object: object;
  readonly headers: Readonly<Record<string, string>>;
  /** Members of the request, in the form of a body. */
  readonly sent: object;
}

/** Returns the response to a write, with the members that the request set. */
export function writeResponse(operation: Operation, done: Written<object>, shown: Shown): WriteResponse {
  const { object, headers, sent } = shown;
  if (operation.kind === 'delete') return WriteResponse.gone(object);
  if (!isCreated(done)) return WriteResponse.of(object, headers, { sent, changed: done.changed });
  if (done.created) return WriteResponse.created(object, headers, sent);
  const { knownBy } = operation;
  const named =
    done.changed || knownBy === undefined ? sent : Object.fromEntries(knownBy.map((member) => [member, true]));
  return WriteResponse.of(object, headers, { sent: named, changed: done.changed });
}

export function isCreated(done: Written<object>): done is Created<object> {
  return 'created' in done;
}
