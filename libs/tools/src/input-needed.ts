import type { InputRequired } from '@lyceum/contracts';

/**
 * Result of a tool or prompt that first needs input from the client or its user. The service keeps no state: the client
 * calls again with its answers (`ToolCall.client.inputResponses`) and with `requestState`. The client could change that
 * state, so a tool that relies on it signs it, and refuses an invalid one as `invalid_request`.
 */
export class InputNeeded {
  constructor(
    /** Requests of MCP (`elicitation/create`) by the tool's own keys; only those that `client.capabilities` allow. */
    readonly inputRequests: InputRequired['inputRequests'],
    readonly requestState?: string,
  ) {}

  reply(): InputRequired {
    const { inputRequests, requestState } = this;
    return { resultType: 'input_required', inputRequests, ...(requestState === undefined ? {} : { requestState }) };
  }
}
