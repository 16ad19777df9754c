import type { CallingClient, Reply } from '@lyceum/contracts';
import { CLIENT_CAPABILITIES_META_KEY, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { CallFailed, asks, questionsOf } from '#src/calls/content.policy.js';
import { protocolError } from './protocol-error.js';

type McpRequest = Pick<ServerContext['mcpReq'], 'envelope' | 'inputResponses' | 'requestState'>;

/** What the owning service may know of the client: what can be asked, and what has been answered. */
export function callingClient({ envelope, inputResponses = {}, requestState }: McpRequest): CallingClient {
  const state = requestState<string>();
  const capabilities: unknown = Reflect.get(envelope ?? {}, CLIENT_CAPABILITIES_META_KEY);
  return {
    capabilities: typeof capabilities === 'object' ? { ...capabilities } : {},
    inputResponses,
    ...(state === undefined ? {} : { requestState: state }),
  };
}

const UNASKABLE = {
  code: 'invalid_state',
  detail: 'This has to ask the client something, which needs a client of MCP 2026-07-28',
  hint: 'Do it on the site itself, or with a newer client.',
};

/**
 * The reply as this client can take it. The older revisions ask in a request of their own, whose answer would come to any
 * replica: they cannot be asked. A `requestState` that the service did not mint is an error of the protocol (MCP 2026-07-28,
 * "Multi Round-Trip Requests"): no model can repair it.
 */
export function judged(reply: Reply, { envelope, requestState }: McpRequest): Reply {
  if (!reply.ok) {
    const refused = reply.error.code === 'invalid_request' && requestState() !== undefined;
    if (refused) throw new ProtocolError(ProtocolErrorCode.InvalidParams, reply.error.detail);
    return reply;
  }
  return envelope === undefined && asks(reply) ? { ok: false, error: UNASKABLE } : reply;
}

/** The questions of the reply as a result. The SDK refuses what the client has not declared that it can answer. */
export function inputRequired(reply: Reply): InputRequiredResult | undefined {
  try {
    // The SDK checks each request by its method.
    return questionsOf(reply) as InputRequiredResult | undefined;
  } catch (error) {
    throw error instanceof CallFailed ? protocolError(error) : error;
  }
}
