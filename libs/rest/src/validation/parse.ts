import { ApiError } from '@lyceum/errors';
import type { z } from 'zod';
import { refuseBody, refuseQuery } from './refusal.policy.js';

/** The input of an issue tells a missing member from a wrong one. It is never shown. */
const REPORTED = { reportInput: true };

/** @throws `unknown_parameter` or `invalid_request` */
export function parseQuery<Schema extends z.ZodType>(schema: Schema, query: unknown): z.output<Schema> {
  const result = schema.safeParse(query, REPORTED);
  if (result.success) return result.data;
  throw refuseQuery(result.error);
}

/** @throws `validation_failed`, or `invalid_request` for a body that is missing */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body, REPORTED);
  if (result.success) return result.data;
  if (body === undefined) throw new ApiError('invalid_request', 'A JSON body is needed');
  throw refuseBody(result.error);
}
