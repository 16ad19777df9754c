import { API_ERROR_CODES, ApiError, PROBLEMS } from '@lyceum/errors';
import { receivedFieldErrors } from '@lyceum/platform';
import { z } from 'zod';
import { ApiResponse } from '../responses/response.js';
import type { FieldMask } from './write-response.js';

const mask: z.ZodType<FieldMask> = z.lazy(() => z.record(z.string(), z.union([z.literal(true), mask])));

/** How a write ended, as a key remembers it: with an answer, or by a mistake of the caller. */
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

/** Undefined for what is no mistake of the caller: it is not remembered, so that a repetition gets another chance. */
export function storedErrorOf(error: unknown): StoredResponse | undefined {
  if (!(error instanceof ApiError) || PROBLEMS[error.code].status >= 500) return undefined;
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
