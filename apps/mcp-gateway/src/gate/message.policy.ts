import { MAX_JSON_DEPTH, isTooDeep } from '@lyceum/platform';
import { HEADER_MISMATCH, INVALID_REQUEST, MessageRefusal, PARSE_ERROR } from './refusal.js';
import type { MessageId } from './refusal.js';

/** What the gate needs to know of a message; the SDK checks the rest of it. */
export interface Message {
  readonly body: object;
  readonly id: MessageId;
  readonly method: string | undefined;
  /** What it is about: the tool or prompt by its name, the resource by its URI. A completion says it in `ref`. */
  readonly target: string | undefined;
  /** `ref` of a completion: of a prompt by name, or of a template of resources by URI. */
  readonly ref: { readonly prompt: string } | { readonly template: string } | undefined;
  /** `params.arguments`, of whatever kind. */
  readonly args: unknown;
  /** W3C Trace Context in `params._meta` (SEP-414), of which the headers are another spelling. */
  readonly trace: Readonly<Record<'traceparent' | 'tracestate', string | undefined>>;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads one JSON-RPC message. Batches were removed from MCP in 2025-06-18, and would carry calls past the gate. */
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

/** MCP 2026-07-28: a value that is no plain ASCII travels as `=?base64?…?=`. */
function decoded(header: string): string {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header.trim())?.[1];
  return encoded === undefined ? header.trim() : Buffer.from(encoded, 'base64').toString();
}

/**
 * The headers that name the method and the target must name those of the body, in either era: whoever reads only headers on
 * the way (a proxy that limits or logs) must not see another call than the one that is made.
 */
export function checkHeaders(message: Message, headers: { method?: string; name?: string }): void {
  if (headers.method !== undefined && message.method !== undefined && headers.method.trim() !== message.method) {
    throw new MessageRefusal(HEADER_MISMATCH, 'The Mcp-Method header and the body name different methods', message.id);
  }
  if (headers.name !== undefined && message.target !== undefined && decoded(headers.name) !== message.target) {
    throw new MessageRefusal(HEADER_MISMATCH, 'The Mcp-Name header and the body differ', message.id);
  }
}
