import { ApiError, PROBLEMS, isApiErrorCode, toProblem } from '@lyceum/errors';
import type { ErrorCode, FieldError, ApiErrorCode, Problem } from '@lyceum/errors';

/** Placeholder of the origin in the built document. The served document has the origin of the site. */
export const BASE_URL = 'https://school.example';

const REQUEST = {
  instance: '/api/v1/courses',
  requestId: '019ab3c0-0000-7000-8000-000000000000',
  baseUrl: BASE_URL,
};

const ERRORS: Partial<Record<ApiErrorCode, FieldError>> = {
  invalid_request: { parameter: 'limit', code: 'too_large', detail: 'limit must be between 1 and 100' },
  unknown_parameter: { parameter: 'nmae', code: 'unknown_parameter', detail: 'Unknown name' },
  invalid_cursor: { parameter: 'cursor', code: 'invalid_cursor', detail: 'Start again without it' },
  validation_failed: { pointer: '/name', code: 'required', detail: 'name is required' },
  already_exists: { pointer: '/slug', code: 'already_exists', detail: 'Taken by another course' },
};

/** Returns an example of a problem (RFC 9457); undefined for a code that only GraphQL uses. */
export function problemOf(code: ErrorCode): Problem | undefined {
  if (!isApiErrorCode(code)) return undefined;
  const error = ERRORS[code];
  const errors = error === undefined ? [] : [error];
  return toProblem(new ApiError(code, PROBLEMS[code].meaning, { errors }), REQUEST);
}
