/** JSON-RPC 2.0 §5.1 and, for headers that disagree with the body, MCP 2026-07-28. */
export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const INVALID_PARAMS = -32_602;
export const HEADER_MISMATCH = -32_020;

/** The id of the refused message, if it is readable (JSON-RPC 2.0 §5). */
export type MessageId = string | number | null;

/** An invalid message: a JSON-RPC error with an HTTP status, as MCP clients expect. */
export class MessageRefusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly id: MessageId;

  constructor(code: number, message: string, id: MessageId = null, status = 400) {
    super(message);
    this.name = 'MessageRefusal';
    this.status = status;
    this.code = code;
    this.id = id;
  }

  toJSON(): object {
    return { jsonrpc: '2.0', error: { code: this.code, message: this.message }, id: this.id };
  }
}
