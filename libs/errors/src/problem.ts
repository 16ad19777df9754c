import { PROBLEMS } from './catalog.js';
import type { OutcomeCode } from './codes.js';
import type { FieldError } from './field-error.js';
import type { Outcome } from './outcome.js';

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

/** Where the page of each code is, below the origin of every site. */
export const ERROR_PAGES = '/docs/errors';

interface ProblemRequest {
  /** Path of the request. */
  readonly instance: string;
  readonly requestId: string;
  /** Origin of the site. Without one, `type` is relative to the URL of the request (RFC 9457 §3.1.1). */
  readonly baseUrl?: string | undefined;
}

/** Maps an outcome to the body of an HTTP response. */
export function toProblem(outcome: Outcome, { instance, requestId, baseUrl = '' }: ProblemRequest): Problem {
  const { status, title } = PROBLEMS[outcome.code];
  return {
    type: `${baseUrl}${ERROR_PAGES}/${outcome.code}`,
    title,
    status,
    detail: outcome.message,
    instance,
    code: outcome.code,
    request_id: requestId,
    ...(outcome.errors.length > 0 ? { errors: outcome.errors } : {}),
    ...(OAUTH_ERRORS.has(outcome.code) ? { error: outcome.code, error_description: outcome.message } : {}),
  };
}
