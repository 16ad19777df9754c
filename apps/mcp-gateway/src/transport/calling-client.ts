import type { CallingClient, Reply } from '@lyceum/contracts';
import { CLIENT_CAPABILITIES_META_KEY, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { CallFailed, needsInput, inputRequiredOf } from '#src/calls/content.policy.js';
import { protocolError } from './protocol-error.js';

type McpRequest = Pick<ServerContext['mcpReq'], 'envelope' | 'inputResponses' | 'requestState'>;

/** The client's capabilities and responses, for the owning service. */
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
 * Checks that the client can handle the reply. Older revisions ask in a separate request, whose response may reach any
 * replica, so they cannot be asked. A `requestState` that the service did not mint is a protocol error (MCP 2026-07-28,
 * "Multi Round-Trip Requests"): no model can correct it.
 */
export function checkedReply(reply: Reply, { envelope, requestState }: McpRequest): Reply {
  if (!reply.ok) {
    const refused = reply.error.code === 'invalid_request' && requestState() !== undefined;
    if (refused) throw new ProtocolError(ProtocolErrorCode.InvalidParams, reply.error.detail);
    return reply;
  }
  return envelope === undefined && needsInput(reply) ? { ok: false, error: UNASKABLE } : reply;
}

/** The questions of the reply as a result. The SDK rejects questions that the client does not support. */
export function inputRequired(reply: Reply): InputRequiredResult | undefined {
  try {
    // The SDK validates each request by its method.
    return inputRequiredOf(reply) as InputRequiredResult | undefined;
  } catch (error) {
    throw error instanceof CallFailed ? protocolError(error) : error;
  }
}
