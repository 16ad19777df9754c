import { HeaderMap } from '@apollo/server';
import type { Outcome, OutcomeCode } from '@lyceum/errors';
import { PROBLEMS } from '@lyceum/errors';
import { GraphQLError } from 'graphql';
import type { GraphQLFormattedError } from 'graphql';

/** `extensions.code` of each outcome. */
const CODES: Record<OutcomeCode, string> = {
  invalid_request: 'BAD_REQUEST',
  unknown_parameter: 'BAD_USER_INPUT',
  invalid_cursor: 'INVALID_CURSOR',
  validation_failed: 'BAD_USER_INPUT',
  invalid_token: 'INVALID_TOKEN',
  insufficient_scope: 'INSUFFICIENT_SCOPE',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  method_not_allowed: 'METHOD_NOT_ALLOWED',
  not_acceptable: 'NOT_ACCEPTABLE',
  already_exists: 'BAD_USER_INPUT',
  invalid_state: 'BAD_USER_INPUT',
  resource_in_use: 'BAD_USER_INPUT',
  idempotency_in_progress: 'BAD_USER_INPUT',
  precondition_failed: 'BAD_USER_INPUT',
  payload_too_large: 'PAYLOAD_TOO_LARGE',
  unsupported_media_type: 'UNSUPPORTED_MEDIA_TYPE',
  unknown_host: 'UNKNOWN_HOST',
  idempotency_key_reused: 'BAD_USER_INPUT',
  precondition_required: 'BAD_REQUEST',
  rate_limited: 'RATE_LIMITED',
  temporarily_unavailable: 'TEMPORARILY_UNAVAILABLE',
  internal: 'INTERNAL_SERVER_ERROR',
};

/** What graphql-js, Apollo and the limits say of a request or an argument: meant for the caller. */
const SHOWN = new Set([
  ...Object.values(CODES).filter((code) => code !== 'INTERNAL_SERVER_ERROR'),
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'FIRST_OUT_OF_RANGE',
  'DEPTH_LIMIT_EXCEEDED',
  'COST_LIMIT_EXCEEDED',
]);

/** Refusals of what was asked, after it was read: they cost points. */
const REFUSED = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_USER_INPUT',
  'DEPTH_LIMIT_EXCEEDED',
  'COST_LIMIT_EXCEEDED',
]);

/** True when the document, its variables or its size were refused; not who asked, and not the form of the request. */
export const isRefusedDocument = (errors: readonly GraphQLFormattedError[]): boolean =>
  errors.some(({ extensions }) => REFUSED.has(String(extensions?.['code'])));

export const FAULT = 'The fault is ours and has been written down. Give the requestId when you ask about it.';

export interface Shown {
  readonly message: string;
  readonly code: string;
}

export function showOutcome(outcome: Outcome): Shown {
  return { message: outcome.message, code: CODES[outcome.code] };
}

/** What a caller may read of an error with a code of its own; undefined for a fault. */
export function showCode(message: string, code: unknown): Shown | undefined {
  return typeof code === 'string' && SHOWN.has(code) ? { message, code } : undefined;
}

/** Status and headers of an outcome that ends the whole request. */
export function headOf(outcome: Outcome): { status: number; headers: Map<string, string> } {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(outcome.headers)) headers.set(name.toLowerCase(), value);
  const retryAfter = outcome.retryAfter ?? (outcome.code === 'temporarily_unavailable' ? 1 : undefined);
  if (retryAfter !== undefined) headers.set('retry-after', String(Math.max(1, Math.ceil(retryAfter))));
  return { status: PROBLEMS[outcome.code].status, headers };
}

/** An outcome as the error that ends an operation in Apollo's pipeline, with its HTTP status. */
export function endOperation(outcome: Outcome): GraphQLError {
  return new GraphQLError(outcome.message, {
    originalError: outcome,
    extensions: { code: CODES[outcome.code], http: headOf(outcome) },
  });
}
