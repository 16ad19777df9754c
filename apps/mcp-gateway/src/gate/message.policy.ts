import { MAX_JSON_DEPTH, isObject, isTooDeep } from '@lyceum/platform';
import { HEADER_MISMATCH, INVALID_REQUEST, MessageRefusal, PARSE_ERROR } from './refusal.js';
import type { MessageId } from './refusal.js';

/** The parts of a message that the gate checks; the SDK checks the rest. */
export interface Message {
  readonly body: object;
  readonly id: MessageId;
  readonly method: string | undefined;
  /** The tool or prompt by name, the resource by URI. Completions have `ref` instead. */
  readonly target: string | undefined;
  /** `ref` of a completion: a prompt by name, or a resource template by URI. */
  readonly ref: { readonly prompt: string } | { readonly template: string } | undefined;
  /** `params.arguments`, of any type. */
  readonly args: unknown;
  /** W3C Trace Context in `params._meta` (SEP-414), equivalent to the headers. */
  readonly trace: Readonly<Record<'traceparent' | 'tracestate', string | undefined>>;
}

/** Parses one JSON-RPC message. Batches were removed from MCP in 2025-06-18, and would bypass the gate's checks. */
export function readMessage(text: unknown): Message {
  if (typeof text !== 'string') throw new MessageRefusal(PARSE_ERROR, 'Parse error: the body is not JSON');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new MessageRefusal(PARSE_ERROR, 'Parse error: the body is not valid JSON');
  }
  if (Array.isArray(body)) throw new MessageRefusal(INVALID_REQUEST, 'Invalid request: batches are not supported');
  if (!isObject(body)) throw new MessageRefusal(INVALID_REQUEST, 'Invalid request: the body is not a JSON-RPC message');
  if (isTooDeep(body)) {
    throw new MessageRefusal(INVALID_REQUEST, `Invalid request: at most ${MAX_JSON_DEPTH} levels of lists and objects`);
  }
  const { id, method, params } = body;
  const { name, uri, ref, arguments: args, _meta } = isObject(params) ? params : {};
  const { traceparent, tracestate } = isObject(_meta) ? _meta : {};
  const target = method === 'resources/read' ? uri : name;
  return {
    body,
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    method: textOf(method),
    target: textOf(target),
    ref: readReference(ref),
    args,
    trace: { traceparent: textOf(traceparent), tracestate: textOf(tracestate) },
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readReference(ref: unknown): Message['ref'] {
  if (!isObject(ref)) return undefined;
  if (ref['type'] === 'ref/prompt' && typeof ref['name'] === 'string') return { prompt: ref['name'] };
  if (ref['type'] === 'ref/resource' && typeof ref['uri'] === 'string') return { template: ref['uri'] };
  return undefined;
}

/** MCP 2026-07-28: non-ASCII values are encoded as `=?base64?…?=`. */
function decoded(header: string): string {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header.trim())?.[1];
  return encoded === undefined ? header.trim() : Buffer.from(encoded, 'base64').toString();
}

/**
 * Method and target in the headers must match the body, in either era: a proxy that limits or logs by headers must see
 * the call that is executed.
 */
export function checkHeaders(message: Message, headers: { method?: string; name?: string }): void {
  if (headers.method !== undefined && message.method !== undefined && headers.method.trim() !== message.method) {
    throw new MessageRefusal(HEADER_MISMATCH, 'The Mcp-Method header and the body name different methods', message.id);
  }
  if (headers.name !== undefined && message.target !== undefined && decoded(headers.name) !== message.target) {
    throw new MessageRefusal(HEADER_MISMATCH, 'The Mcp-Name header and the body differ', message.id);
  }
}
