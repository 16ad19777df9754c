/**
 * Codes of the errors that a caller can cause and must be able to distinguish. The union is closed: a new code does not
 * compile without its status and texts in `PROBLEMS`, and without its name in OAuth (`oauth-error.filter.ts` of auth).
 * GraphQL has the code in upper case, and tools have it as it is. Any other error is unexpected: logged with its cause,
 * shown as `internal`.
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
  'quota_exceeded',
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

/** Errors of a GraphQL document or its paging arguments, for the member API only. */
export const GRAPHQL_CODES = [
  'graphql_parse_failed',
  'graphql_validation_failed',
  'operation_resolution_failure',
  'persisted_query_not_supported',
  'depth_limit_exceeded',
  'cost_limit_exceeded',
  'first_out_of_range',
] as const;

/** Every error code of a request, on any surface. */
export const ERROR_CODES = [...API_ERROR_CODES, ...GRAPHQL_CODES] as const;
export type ErrorCode = ApiErrorCode | (typeof GRAPHQL_CODES)[number];

/** The code in GraphQL, where constants are upper case: `NOT_FOUND` for `not_found`. */
export type GraphqlCode = Uppercase<ErrorCode>;

export function graphqlCode(code: ErrorCode): GraphqlCode {
  return code.toUpperCase() as GraphqlCode;
}

/** Codes of single values without a request-level code. Closed, like `API_ERROR_CODES`. */
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
  'not_for_sale',
  'sold_out',
  'coupon_not_found',
  'coupon_inactive',
  'coupon_expired',
  'coupon_exhausted',
  'coupon_limit_reached',
  'coupon_min_order',
  'coupon_not_applicable',
] as const;
export type FieldCode = (typeof FIELD_CODES)[number];

/** Includes the request-level codes, for a failed item of a batch or a single member that caused the error. */
export type FieldErrorCode = FieldCode | ApiErrorCode;
