import { PROBLEMS } from './catalog.js';
import type { ApiErrorCode } from './codes.js';
import type { FieldError } from './field-error.js';
import type { ApiError } from './api-error.js';

/** RFC 9457 problem details, with our extension members `code`, `request_id`, `errors` and `hint`. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance?: string;
  readonly code: ApiErrorCode;
  readonly request_id: string;
  readonly errors?: readonly FieldError[];
  /** A remedy in one sentence, where the error has one. */
  readonly hint?: string;
  /** OAuth's names for code and detail (RFC 6749 §5.2, RFC 6750 §3.1), for errors that concern a token. */
  readonly error?: ApiErrorCode;
  readonly error_description?: string;
}

/** Codes that are also OAuth errors, for OAuth clients that do not support problem details. */
const OAUTH_ERRORS: ReadonlySet<ApiErrorCode> = new Set([
  'invalid_token',
  'insufficient_scope',
  'temporarily_unavailable',
]);

/** The media type of a problem (RFC 9457 §3). */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** Path of the error pages below the origin of every site. */
export const ERROR_PAGES = '/docs/errors';

interface ProblemRequest {
  /** Path of the request. */
  readonly instance: string;
  readonly requestId: string;
  /** Origin of the site. Without one, `type` is relative to the URL of the request (RFC 9457 §3.1.1). */
  readonly baseUrl?: string | undefined;
}

/** Maps an API error to the body of an HTTP response. */
export function toProblem(apiError: ApiError, { instance, requestId, baseUrl = '' }: ProblemRequest): Problem {
  const { status, title } = PROBLEMS[apiError.code];
  return {
    type: `${baseUrl}${ERROR_PAGES}/${apiError.code}`,
    title,
    status,
    detail: apiError.message,
    instance,
    code: apiError.code,
    request_id: requestId,
    ...(apiError.errors.length > 0 ? { errors: apiError.errors } : {}),
    ...(apiError.hint === undefined ? {} : { hint: apiError.hint }),
    ...(OAUTH_ERRORS.has(apiError.code) ? { error: apiError.code, error_description: apiError.message } : {}),
  };
}
