import type { FieldError, Outcome, OutcomeCode } from './outcome.js';

interface ProblemType {
  readonly status: number;
  readonly title: string;
}

/** HTTP status and title of each outcome (RFC 9110, RFC 9457). */
export const PROBLEMS: Record<OutcomeCode, ProblemType> = {
  invalid_request: { status: 400, title: 'The request is malformed' },
  unknown_parameter: { status: 400, title: 'A parameter is not known' },
  invalid_cursor: { status: 400, title: 'The cursor is not valid here' },
  validation_failed: { status: 422, title: 'A value is not acceptable' },
  invalid_token: { status: 401, title: 'The access token is missing or not valid' },
  insufficient_scope: { status: 403, title: 'The access token lacks a scope' },
  forbidden: { status: 403, title: 'Not allowed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  not_acceptable: { status: 406, title: 'No acceptable representation' },
  already_exists: { status: 409, title: 'It exists already' },
  invalid_state: { status: 409, title: 'Not possible in this state' },
  resource_in_use: { status: 409, title: 'Something depends on it' },
  idempotency_in_progress: { status: 409, title: 'The first request with this key is still running' },
  precondition_failed: { status: 412, title: 'It has changed meanwhile' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The media type is not supported' },
  unknown_host: { status: 421, title: 'No site has this host' },
  idempotency_key_reused: { status: 422, title: 'The key was used with another body' },
  precondition_required: { status: 428, title: 'If-Match is required' },
  rate_limited: { status: 429, title: 'Too many requests' },
  temporarily_unavailable: { status: 503, title: 'Temporarily unavailable' },
  internal: { status: 500, title: 'Something went wrong on our side' },
};

/** RFC 9457 problem details, with our extension members `code`, `request_id` and `errors`. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance?: string;
  readonly code: OutcomeCode;
  readonly request_id: string;
  readonly errors?: readonly FieldError[];
  /** OAuth's names for the same (RFC 6749 §5.2, RFC 6750 §3.1), beside refusals that concern a token. */
  readonly error?: OutcomeCode;
  readonly error_description?: string;
}

/** Codes that are OAuth errors as well: an OAuth client reads them without knowing problem details. */
const OAUTH_ERRORS: ReadonlySet<OutcomeCode> = new Set([
  'invalid_token',
  'insufficient_scope',
  'temporarily_unavailable',
]);

/** The media type of a problem (RFC 9457 §3). */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** Maps an outcome to the body of an HTTP answer. `instance` is the request's path. */
export function toProblem(outcome: Outcome, request: { instance: string; requestId: string }): Problem {
  const { status, title } = PROBLEMS[outcome.code];
  return {
    type: `urn:lyceum:problem:${outcome.code}`,
    title,
    status,
    detail: outcome.message,
    instance: request.instance,
    code: outcome.code,
    request_id: request.requestId,
    ...(outcome.errors.length > 0 ? { errors: outcome.errors } : {}),
    ...(OAUTH_ERRORS.has(outcome.code) ? { error: outcome.code, error_description: outcome.message } : {}),
  };
}
