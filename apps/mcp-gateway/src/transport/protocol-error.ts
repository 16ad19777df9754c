import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { CallFailed } from '#src/calls/content.policy.js';

/** Codes that say that the caller asked for the wrong thing. */
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

/** What is not the result of a tool has no place for a failure but the error of JSON-RPC. */
export function protocolError({ error }: CallFailed, uri?: string): ProtocolError {
  if (uri !== undefined && error.code === 'not_found') return new ResourceNotFoundError(uri);
  const { InvalidParams, InternalError } = ProtocolErrorCode;
  const { code, detail, errors, hint } = error;
  return new ProtocolError(CALLERS_FAULT.has(code) ? InvalidParams : InternalError, detail, { code, errors, hint });
}
