import { HttpException } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import type { ApiErrorCode } from '@lyceum/errors';
import { databaseError } from '../database/database-error.js';

const CODES: Readonly<Record<number, ApiErrorCode>> = {
  400: 'invalid_request',
  401: 'invalid_token',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  409: 'invalid_state',
  412: 'precondition_failed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  421: 'unknown_host',
  422: 'validation_failed',
  428: 'precondition_required',
  429: 'rate_limited',
  503: 'temporarily_unavailable',
};

/** Words of our own where the framework's would repeat the request or tell of its inside. */
const WORDS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is larger than this service accepts.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Send the body as JSON, with the header Content-Type: application/json.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The length of the body is not the one that the header announced.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty, but its media type says JSON.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not well-formed JSON.',
  FST_ERR_BAD_URL: 'The path is not well-formed.',
  FST_ERR_MAX_PARAM_LENGTH: 'A part of the path is too long.',
};

/**
 * Maps an exception to an `ApiError`: `ApiError`s unchanged, an unreachable database, and the refusals of Nest and
 * Fastify. Undefined for an unexpected error, whose message must not reach the caller.
 */
export function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  const database = databaseError(error);
  if (database !== undefined) return database;
  if (error instanceof HttpException)
    return fromStatus(error.getStatus(), codeOf(error.cause), messageOf(error), error);
  if (isFrameworkError(error)) return fromStatus(error.statusCode, error.code, undefined, error);
  return undefined;
}

function fromStatus(status: number, framework: string | undefined, words: string | undefined, cause: unknown) {
  const code = CODES[status] ?? (status >= 400 && status < 500 ? 'invalid_request' : undefined);
  if (code === undefined) return undefined;
  const own = framework === undefined ? undefined : WORDS[framework];
  return new ApiError(code, own ?? words ?? 'The request cannot be processed.', { cause });
}

/** Returns the message of an `HttpException`, or the messages of a validation pipe. */
function messageOf(error: HttpException): string {
  // The framework's own words may repeat the request.
  if (codeOf(error.cause)?.startsWith('FST_')) return 'The request is malformed.';
  const body = error.getResponse();
  const message = typeof body === 'object' && 'message' in body ? body.message : body;
  return Array.isArray(message) ? message.map(String).join('; ') : String(message);
}

interface FrameworkError extends Error {
  readonly code: string;
  readonly statusCode: number;
}

function isFrameworkError(error: unknown): error is FrameworkError {
  return (
    error instanceof Error &&
    'statusCode' in error &&
    typeof error.statusCode === 'number' &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('FST_')
  );
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
