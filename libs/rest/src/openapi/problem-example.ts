import { ApiError, PROBLEMS, isApiErrorCode, toProblem } from '@lyceum/errors';
import type { ApiErrorCode, ErrorCode, Problem } from '@lyceum/errors';
import { z } from 'zod';
import { listQuery } from '../paging/list-query.js';
import { requireIfMatch, requireMatch } from '../responses/etag.policy.js';
import { text } from '../validation/fields.js';
import { parseBody, parseQuery } from '../validation/parse.js';

/** Placeholder of the origin in the built document. The served document has the origin of the site. */
export const BASE_URL = 'https://school.example';

const REQUEST = {
  instance: '/api/v1/courses',
  requestId: '019ab3c0-0000-7000-8000-000000000000',
  baseUrl: BASE_URL,
};

const query = listQuery({ sorts: ['-created_at'], fields: ['id'], filters: {} });
const body = z.strictObject({ name: text(200) });

/** Requests that end in these errors: the documented texts are those that are sent. */
const REFUSALS: Partial<Record<ApiErrorCode, () => unknown>> = {
  invalid_request: () => parseQuery(query, { limit: '101' }),
  unknown_parameter: () => parseQuery(query, { nmae: 'a' }),
  validation_failed: () => parseBody(body, {}),
  precondition_failed: () => requireMatch(2, '"1"'),
  precondition_required: () => requireIfMatch({}),
};

const ERRORS: Partial<Record<ApiErrorCode, ApiError>> = {
  invalid_cursor: new ApiError('invalid_cursor', 'The cursor is not from this list with this filter and sort', {
    errors: [{ parameter: 'cursor', code: 'invalid_cursor', detail: 'Start again without it' }],
    hint: 'Start again without a cursor',
  }),
  already_exists: new ApiError('already_exists', 'Another course of this site has this slug', {
    errors: [
      {
        pointer: '/slug',
        code: 'already_exists',
        detail: 'Taken by another course',
        id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90',
      },
    ],
  }),
};

/** Returns an example of a problem (RFC 9457); undefined for a code that only GraphQL uses. */
export function problemOf(code: ErrorCode): Problem | undefined {
  if (!isApiErrorCode(code)) return undefined;
  const error = refusalOf(code) ?? ERRORS[code] ?? new ApiError(code, PROBLEMS[code].meaning);
  return toProblem(error, REQUEST);
}

function refusalOf(code: ApiErrorCode): ApiError | undefined {
  try {
    REFUSALS[code]?.();
  } catch (error) {
    if (error instanceof ApiError && error.code === code) return error;
    throw error;
  }
  return undefined;
}
