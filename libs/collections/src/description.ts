import { bulkResults } from '@lyceum/rest';
import type { OperationDescription } from '@lyceum/rest';
import { z } from 'zod';
import type { Collection, OperationDeclaration } from './declaration.js';

type Responses = OperationDescription['responses'];

/** The entry of an operation in the OpenAPI document. */
export function describeOperation(collection: Collection, operation: OperationDeclaration): OperationDescription {
  const { id, summary, description, deprecated, problems, kind } = operation;
  return {
    id,
    summary,
    description,
    deprecated,
    responses: responsesOf(collection, operation),
    ...(kind === 'bulk' || kind === 'upsert' ? { conditional: kind === 'upsert' } : {}),
    problems: [
      ...(problems ?? []),
      ...(kind === 'order' ? (['precondition_required'] as const) : []),
      ...(collection.parent === undefined ? [] : (['not_found'] as const)),
    ],
  };
}

function responsesOf({ resource, name }: Collection, operation: OperationDeclaration): Responses {
  const { one } = resource;
  const { kind, response, existing } = operation;
  const { object, list } = operation.returns?.resource ?? resource;
  switch (kind) {
    case 'list':
      return { 200: { description: response ?? `One page of ${name.replaceAll(/[_/]/g, ' ')}`, schema: list } };
    case 'get':
      return { 200: { description: response ?? `The ${one}`, schema: object } };
    case 'create':
      return created(existing, { description: response ?? `The new ${one}`, schema: object });
    case 'upsert':
      return {
        200: { description: `The ${one} that has the \`external_id\``, schema: object },
        201: { description: `The new ${one}`, schema: object },
      };
    case 'bulk':
      return { 200: { description: 'One result for each item', schema: bulkResults(resource.name) } };
    case 'delete':
      return {
        200: { description: `With \`dry_run\`: the ${one} that would be deleted`, schema: object },
        204: { description: `The ${one} is deleted` },
      };
    case 'export':
      return { 200: { description: 'The list as CSV', schema: z.string(), mediaType: 'text/csv' } };
    case 'update':
    case 'action':
    case 'order':
      return { 200: { description: response ?? `The ${one} as it is now`, schema: object } };
  }
}

function created(existing: string | undefined, response: Responses[number]): Responses {
  return existing === undefined ? { 201: response } : { 200: { ...response, description: existing }, 201: response };
}
