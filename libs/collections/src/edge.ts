import { WriteResponse } from '@lyceum/rest';
import type { Collection, OperationDeclaration, OperationKind } from './declaration.js';
import type { Created, Written } from './requests.js';
import { View } from './view.js';

type Row = object;

/** The methods of an operations class, as the edges call them: by the name that the declaration gives. */
export type Operations = Readonly<Record<string, (request: object) => Promise<never>>>;

export function isRead(kind: OperationKind): boolean {
  return kind === 'list' || kind === 'get' || kind === 'export';
}

/** `digital product` as a member and in names of tools: `digital_product`. */
export function snake(words: string): string {
  return words
    .replaceAll(' ', '_')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase();
}

/** How the objects of an operation look: those of the collection, or others that an action names. */
export function viewOf(collection: Collection, { returns }: Pick<OperationDeclaration, 'returns'>): View {
  return new View(returns ?? collection);
}

interface Shown {
  readonly object: object;
  readonly headers: Readonly<Record<string, string>>;
  /** What the request sent, as a body. */
  readonly sent: object;
}

/** The response to a write, with what of it the request itself determined. */
export function writeResponse(operation: OperationDeclaration, done: Written<Row>, shown: Shown): WriteResponse {
  const { object, headers, sent } = shown;
  if (operation.kind === 'delete') return WriteResponse.gone(object);
  if (!('created' in done)) return WriteResponse.of(object, headers, { sent, changed: done.changed });
  if ((done as Created<Row>).created) return WriteResponse.created(object, headers, sent);
  const { knownBy } = operation;
  const named =
    done.changed || knownBy === undefined ? sent : Object.fromEntries(knownBy.map((member) => [member, true]));
  return WriteResponse.of(object, headers, { sent: named, changed: done.changed });
}
