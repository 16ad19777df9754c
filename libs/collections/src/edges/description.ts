import { bulkResults, withLazy } from '@lyceum/rest';
import type { OperationDescription } from '@lyceum/rest';
import type { CollectionParts, Operation } from '../declaration/declared.js';

type Responses = OperationDescription['responses'];

/** The entry of an operation in the OpenAPI document. */
export function describeOperation(collection: CollectionParts, operation: Operation): OperationDescription {
  const { id, summary, description, deprecated, problems, kind, creates } = operation;
  const described = {
    id,
    summary,
    description,
    deprecated,
    ...(kind === 'bulk' || kind === 'upsert' || creates === true ? { conditional: kind !== 'bulk' } : {}),
    problems: [
      ...(problems ?? []),
      ...(kind === 'order' ? (['precondition_required'] as const) : []),
      ...(collection.parent === undefined ? [] : (['not_found'] as const)),
    ],
  } satisfies Omit<OperationDescription, 'responses'>;
  return withLazy(described, { responses: () => responsesOf(collection, operation) });
}

function responsesOf({ resource, name }: CollectionParts, operation: Operation): Responses {
  const { one } = resource;
  const { kind, response, existing, creates } = operation;
  const { object, list } = operation.returns?.resource ?? resource;
  const made = { description: response ?? `The new ${one}`, schema: object };
  switch (kind) {
    case 'list':
      return { 200: { description: response ?? `One page of ${name.replaceAll(/[_/]/g, ' ')}`, schema: list } };
    case 'get':
      return { 200: { description: response ?? `The ${one}`, schema: object } };
    case 'create':
      return existing === undefined ? { 201: made } : { 200: { ...made, description: existing }, 201: made };
    case 'upsert':
      return { 200: { description: `The ${one} that has the \`external_id\``, schema: object }, 201: made };
    case 'bulk':
      return { 200: { description: 'One result for each item', schema: bulkResults(resource.name) } };
    case 'delete':
      return {
        200: { description: `With \`dry_run\`: the ${one} that would be deleted`, schema: object },
        204: { description: `The ${one} is deleted` },
      };
    default:
      if (creates === true) return { 201: made };
      return { 200: { description: response ?? `The ${one} as it is now`, schema: object } };
  }
}
