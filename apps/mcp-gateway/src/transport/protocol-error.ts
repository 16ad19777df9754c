import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { CallFailed } from '#src/calls/content.policy.js';

/** Codes of errors that the caller caused. */
const CALLERS_FAULT = new Set([
  'forbidden',
  'insufficient_scope',
  'invalid_request',
  'invalid_state',
  'invalid_token',
  'not_found',
  'payload_too_large',
  'validation_failed',
]);

/** Only tool results can express a failure; other methods need a JSON-RPC error. */
export function protocolError({ error }: CallFailed, uri?: string): ProtocolError {
  if (uri !== undefined && error.code === 'not_found') return new ResourceNotFoundError(uri);
  const { InvalidParams, InternalError } = ProtocolErrorCode;
  const { code, detail, errors, hint } = error;
  return new ProtocolError(CALLERS_FAULT.has(code) ? InvalidParams : InternalError, detail, { code, errors, hint });
}
