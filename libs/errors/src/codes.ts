/**
 * Codes of the errors that a caller can cause and must be able to distinguish. The union is closed;
 * each surface maps it once by a `Record<ApiErrorCode, …>`, so a new code does not compile until every surface knows it.
 * Any other error is unexpected: logged with its cause, shown as `internal`.
 */
export const API_ERROR_CODES = [
  'invalid_request',
  'unknown_parameter',
  'invalid_cursor',
  'validation_failed',
  'invalid_token',
  'insufficient_scope',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'not_acceptable',
  'already_exists',
  'invalid_state',
  'resource_in_use',
  'idempotency_in_progress',
  'precondition_failed',
  'payload_too_large',
  'unsupported_media_type',
  'unknown_host',
  'idempotency_key_reused',
  'precondition_required',
  'rate_limited',
  'temporarily_unavailable',
  'internal',
] as const;
export type ApiErrorCode = (typeof API_ERROR_CODES)[number];

export function isApiErrorCode(value: string): value is ApiErrorCode {
  return (API_ERROR_CODES as readonly string[]).includes(value);
}

/** Errors of a GraphQL document or its paging arguments. Only the member API has them. */
export const GRAPHQL_CODES = [
  'graphql_parse_failed',
  'graphql_validation_failed',
  'operation_resolution_failure',
  'persisted_query_not_supported',
  'depth_limit_exceeded',
  'cost_limit_exceeded',
  'first_out_of_range',
] as const;

/** Every code that a request can fail with, on any surface. */
export const ERROR_CODES = [...API_ERROR_CODES, ...GRAPHQL_CODES] as const;
export type ErrorCode = ApiErrorCode | (typeof GRAPHQL_CODES)[number];

/** The spelling of a code in GraphQL, which writes constants in capitals: `NOT_FOUND` for `not_found`. */
export type GraphqlCode = Uppercase<ErrorCode>;

export function graphqlCode(code: ErrorCode): GraphqlCode {
  return code.toUpperCase() as GraphqlCode;
}

/** Errors of one value that no error of a whole request has a code for. Closed, as `API_ERROR_CODES` is. */
export const FIELD_CODES = [
  'required',
  'invalid_type',
  'invalid_format',
  'invalid_value',
  'too_small',
  'too_large',
  'too_deep',
  'repeated',
  'not_changeable',
  'unknown_member',
  'low_contrast',
] as const;
export type FieldCode = (typeof FIELD_CODES)[number];

/** A code of the whole request stands where one of several items failed with it, or one member caused it. */
export type FieldErrorCode = FieldCode | ApiErrorCode;
