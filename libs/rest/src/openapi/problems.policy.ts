import { PROBLEMS } from '@lyceum/errors';
import type { ApiErrorCode } from '@lyceum/errors';
import type { Route } from '../routes/route.js';

/** The errors that any request with a token can end in. */
const ALWAYS: readonly ApiErrorCode[] = [
  'invalid_request',
  'unknown_parameter',
  'invalid_token',
  'insufficient_scope',
  'unknown_host',
  'rate_limited',
  'temporarily_unavailable',
  'internal',
];

const OF_WRITES: readonly ApiErrorCode[] = [
  'idempotency_in_progress',
  'idempotency_key_reused',
  'validation_failed',
  'payload_too_large',
  'unsupported_media_type',
];

/** The problems of a route, in the order of their status. */
export function problemsOf(route: Route): ApiErrorCode[] {
  const codes = new Set<ApiErrorCode>([...ALWAYS, ...(route.operation.problems ?? [])]);
  if (route.parameters.length > 0) codes.add('not_found');
  if (route.query !== undefined && 'cursor' in route.query.shape) codes.add('invalid_cursor');
  if (isWrite(route)) for (const code of OF_WRITES) codes.add(code);
  if (takesIfMatch(route)) codes.add('precondition_failed');
  return [...codes].sort((a, b) => PROBLEMS[a].status - PROBLEMS[b].status || (a < b ? -1 : 1));
}

export function isWrite(route: Route): boolean {
  return route.method !== 'get';
}

/** A write that creates the object of its URL or changes it. */
export function takesIfNoneMatch(route: Route): boolean {
  return route.method === 'put' && Object.hasOwn(route.operation.responses, 201);
}

/** A change of one object that exists. */
export function takesIfMatch(route: Route): boolean {
  return route.operation.conditional ?? (isWrite(route) && !Object.hasOwn(route.operation.responses, 201));
}
