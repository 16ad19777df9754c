import { specTypeSchemas } from '@modelcontextprotocol/server';
import type { StandardSchemaV1Sync } from '@modelcontextprotocol/server';
import type { Message } from '#src/gate/message.policy.js';
import { INVALID_PARAMS, MessageRefusal } from '#src/gate/refusal.js';

/** Requests whose params the SDK (2.4) validates with a plain `Error`, which becomes -32603. */
const REQUESTS = new Map<string, StandardSchemaV1Sync>([
  ['initialize', specTypeSchemas.InitializeRequest],
  ['prompts/get', specTypeSchemas.GetPromptRequest],
  ['resources/read', specTypeSchemas.ReadResourceRequest],
  ['completion/complete', specTypeSchemas.CompleteRequest],
]);

/** Limits of an error message: member names come from the client. */
const MAX_MEMBERS = 5;
const MAX_MESSAGE = 500;

/**
 * JSON-RPC 2.0 §5.1: invalid params are -32602. The HTTP status is 200, as for the SDK's errors. `isOlder`: the request
 * is of a revision with `initialize`, which later ones do not have.
 */
export function checkParams({ body, id, method }: Message, isOlder: boolean): void {
  const schema = REQUESTS.get(method ?? '');
  // A notification has no id and gets no response.
  if (schema === undefined || id === null || (method === 'initialize' && !isOlder)) return;
  const result = schema['~standard'].validate(body);
  if (result.issues === undefined) return;
  const members = result.issues.slice(0, MAX_MEMBERS).map((issue) => `${pathOf(issue)}: ${issue.message}`);
  throw new MessageRefusal(INVALID_PARAMS, `Invalid params: ${members.join('; ')}`.slice(0, MAX_MESSAGE), id, 200);
}

function pathOf({
  path = [],
}: {
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}) {
  return path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
}
