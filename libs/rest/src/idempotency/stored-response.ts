import { API_ERROR_CODES, ApiError } from '@lyceum/errors';
import type { ApiErrorCode } from '@lyceum/errors';
import { receivedFieldErrors } from '@lyceum/platform';
import { z } from 'zod';
import { ApiResponse } from '../responses/response.js';
import type { FieldMask } from './write-response.js';

const mask: z.ZodType<FieldMask> = z.lazy(() => z.record(z.string(), z.union([z.literal(true), mask])));

/** Codes of refusals that depend on the state of objects. */
export const STORED_CODES: ReadonlySet<ApiErrorCode> = new Set([
  'not_found',
  'already_exists',
  'invalid_state',
  'resource_in_use',
  'quota_exceeded',
  'precondition_failed',
]);

/** How a write ended, as a key remembers it: with an answer, or by a refusal. */
export const storedResponseSchema = z.union([
  z.object({
    response: z.object({
      status: z.int(),
      body: z.unknown(),
      headers: z.record(z.string(), z.string()),
      /** The part that a caller without the read scope sees of a body made for one with it; null: all of it. */
      open: mask.nullable().default({}),
    }),
  }),
  z.object({
    outcome: z.object({
      code: z.enum(API_ERROR_CODES),
      detail: z.string(),
      errors: receivedFieldErrors,
      hint: z.string().optional(),
    }),
  }),
]);
export type StoredResponse = z.infer<typeof storedResponseSchema>;

export function storedResponseOf({ status, body, headers }: ApiResponse, open: FieldMask | null): StoredResponse {
  return { response: { status, body, headers: { ...headers }, open } };
}

/**
 * Undefined for an error that is not remembered: a caller who corrects the body, gets a scope or waits repeats the
 * request with the same key.
 */
export function storedErrorOf(error: unknown): StoredResponse | undefined {
  if (!(error instanceof ApiError) || !STORED_CODES.has(error.code)) return undefined;
  const { code, message, errors, hint } = error;
  return { outcome: { code, detail: message, errors: [...errors], ...(hint === undefined ? {} : { hint }) } };
}

/** Ends a request so. */
export function replay(ending: StoredResponse, replayed: boolean): ApiResponse {
  const mark: Record<string, string> = replayed ? { 'idempotent-replayed': 'true' } : {};
  if ('response' in ending) {
    const { status, body, headers } = ending.response;
    return new ApiResponse(status, body, { ...headers, ...mark });
  }
  const { code, detail, errors, hint } = ending.outcome;
  throw new ApiError(code, detail, { errors, headers: mark, ...(hint === undefined ? {} : { hint }) });
}
