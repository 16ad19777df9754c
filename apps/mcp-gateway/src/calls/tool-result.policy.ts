import { contentOutputSchema } from '@lyceum/contracts';
import type { ContentOutput, Reply } from '@lyceum/contracts';
import type { ApiErrorCode } from '@lyceum/errors';
import { isObject } from '@lyceum/platform';
import type { ListedTool } from '#src/catalog/catalog.policy.js';
import { idempotencyKeyOf } from './idempotency-key.policy.js';

/** Largest result in bytes, for the limited context of a model. */
export const RESULT_LIMIT = 60 * 1024;

/** The used part of the protocol's `CallToolResult`. */
export interface ToolResult {
  isError?: true;
  content: ContentOutput['content'];
  structuredContent?: Record<string, unknown>;
  [member: string]: unknown;
}

type ToolError = Extract<Reply, { ok: false }>['error'];
type Input = Readonly<Record<string, unknown>>;

/** The hint for a call that had no effect, or whose repetition has no further one. */
export const TRY_AGAIN = 'Nothing is wrong with the call: try it again later.';

/** Default hints for codes without a hint of the owning service, so that a model need not guess. */
const HINTS: Readonly<Partial<Record<string, string>>> = {
  already_exists: 'Use the one that is there, or choose another value for what has to be unique.',
  idempotency_in_progress: 'Wait a moment, then make the same call again.',
  invalid_cursor: 'Start again without `after`.',
  not_found: 'Take ids and slugs from a tool that lists or searches; do not guess them.',
  precondition_failed: 'Read the object again, then repeat the change with its new etag.',
  rate_limited: 'Wait a minute, then make the same call again.',
  validation_failed: 'Correct what `fields` names, then call it again.',
  temporarily_unavailable: TRY_AGAIN,
} satisfies Partial<Record<ApiErrorCode, string>>;

/**
 * A business failure is a result that the model can correct: code, field errors and hint. It has no
 * `structuredContent`, which clients would validate against the tool's output schema.
 */
export function errorResult({ code, detail, errors, hint = HINTS[code] }: ToolError): ToolResult {
  const fields = errors?.map((error) => ({
    field: error.pointer ?? error.parameter,
    code: error.code,
    message: error.detail,
    ...(error.id === undefined ? {} : { id: error.id }),
  }));
  const error = {
    code,
    message: detail,
    ...(fields === undefined || fields.length === 0 ? {} : { fields }),
    ...(hint === undefined ? {} : { hint }),
  };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error }) }] };
}

const NOTHING_TO_SHOW = errorResult({ code: 'internal', detail: 'The tool returned no displayable result' });

function hasParameter({ inputSchema }: ListedTool, name: string): boolean {
  const { properties } = inputSchema as { properties?: unknown };
  return isObject(properties) && name in properties;
}

/** How to get a large result in parts, by the tool's parameters. A change must not happen twice. */
function wayToGoOn(tool: ListedTool): string {
  if (!tool.annotations.readOnlyHint) {
    return 'Do not repeat the call. Read what it changed with a tool that lists it in pages.';
  }
  if (hasParameter(tool, 'first') && hasParameter(tool, 'after')) {
    return 'Call it again with a smaller `first`, then go on with `after` set to the `next_cursor` of the answer.';
  }
  return 'Ask for less: narrow the call down, or fetch the parts one by one.';
}

/** Adds the hint to an error after which a call may have had its effect: its transaction may run to its end. */
function withHint(tool: ListedTool, input: Input, error: ToolError): ToolError {
  if (error.code !== 'temporarily_unavailable' || error.hint !== undefined || isRepeatable(tool, input)) return error;
  const hint = 'The change may have been made. Read what the call changes before you repeat it';
  const more = ', and send `idempotency_key` then, which makes further repetitions safe';
  return { ...error, hint: `${hint}${hasParameter(tool, 'idempotency_key') ? more : ''}.` };
}

function isRepeatable({ annotations }: ListedTool, input: Input): boolean {
  const { readOnlyHint, idempotentHint } = annotations;
  return readOnlyHint || idempotentHint || input['dry_run'] === true || idempotencyKeyOf(input) !== undefined;
}

/** Converts the reply of the owning service to the protocol's result. */
export function toolResult(tool: ListedTool, reply: Reply, input: Input = {}): ToolResult {
  if (!reply.ok) return errorResult(withHint(tool, input, reply.error));
  if (!isObject(reply.result)) return NOTHING_TO_SHOW;
  const text = JSON.stringify(reply.result);
  const size = Buffer.byteLength(text);
  if (size > RESULT_LIMIT) {
    const detail = `The call succeeded, but its result has ${size} bytes; at most ${RESULT_LIMIT} can be shown`;
    return errorResult({ code: 'payload_too_large', detail, hint: wayToGoOn(tool) });
  }
  if (tool.outputSchema !== undefined) return { content: [{ type: 'text', text }], structuredContent: reply.result };
  const shown = contentOutputSchema.safeParse(reply.result);
  return shown.success ? shown.data : NOTHING_TO_SHOW;
}
