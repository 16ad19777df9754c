import type { InputRequired } from '@lyceum/contracts';

/**
 * A tool or prompt answers this when it needs to ask the client, or the person before it, for something first. No round is
 * remembered: the client calls again with its answers (`ToolCall.client.inputResponses`) and with `requestState`. What is
 * in that has been through the client's hands, so a tool that acts on it signs it, and refuses one that it did not sign as
 * `invalid_request`.
 */
export class InputNeeded {
  constructor(
    /** Requests of MCP (`elicitation/create`), by keys of the tool's own; only such as `client.capabilities` allow. */
    readonly inputRequests: InputRequired['inputRequests'],
    readonly requestState?: string,
  ) {}

  reply(): InputRequired {
    const { inputRequests, requestState } = this;
    return { resultType: 'input_required', inputRequests, ...(requestState === undefined ? {} : { requestState }) };
  }
}
