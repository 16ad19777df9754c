import { PROBLEMS } from '@lyceum/errors';
import type { OutcomeCode } from '@lyceum/errors';
import type { Route } from './routes.js';

/** What can become of any request with a token. */
const ALWAYS: readonly OutcomeCode[] = [
  'invalid_request',
  'unknown_parameter',
  'invalid_token',
  'insufficient_scope',
  'unknown_host',
  'rate_limited',
  'temporarily_unavailable',
  'internal',
];

const OF_WRITES: readonly OutcomeCode[] = [
  'idempotency_in_progress',
  'idempotency_key_reused',
  'validation_failed',
  'payload_too_large',
  'unsupported_media_type',
];

/** When each code is given, in the words of the document. A new code does not compile without its sentence. */
export const EXPLANATIONS: Record<OutcomeCode, string> = {
  invalid_request: 'The request is malformed: no JSON, no body where one is needed, or a parameter with a wrong value.',
  unknown_parameter: 'A query parameter that this operation does not have.',
  invalid_cursor: 'The cursor was changed, or belongs to another list, filter, sort or site. Start again without it.',
  validation_failed: 'The body is JSON, but not acceptable; `errors` names each place by JSON Pointer.',
  invalid_token: 'There is no access token, or it is expired, revoked or for another site. See `WWW-Authenticate`.',
  insufficient_scope: 'The access token lacks a scope; `WWW-Authenticate` names all that are needed.',
  forbidden: 'Not allowed for this caller, whatever the scopes.',
  not_found: 'There is no such object at this site.',
  method_not_allowed: 'The path exists, the method does not; see `Allow`.',
  not_acceptable: 'No representation fits the `Accept` header.',
  already_exists: 'Another object has the value that must be unique; `errors` names it.',
  invalid_state: 'The object is not in a state in which this is possible.',
  resource_in_use: 'Something else depends on the object.',
  idempotency_in_progress:
    'The first request with this `Idempotency-Key` has not ended yet. Repeat after `Retry-After`.',
  precondition_failed: '`If-Match` names another version: the object has changed since it was read.',
  payload_too_large: 'The body is larger than the limit that the description names.',
  unsupported_media_type: 'The media type of the body is not JSON.',
  unknown_host: 'No site is served under the host of the request.',
  idempotency_key_reused: 'The `Idempotency-Key` was used with another body within the last 24 hours.',
  precondition_required: '`If-Match` is needed here.',
  rate_limited: 'The quota of this minute is used up. Repeat after `Retry-After`.',
  temporarily_unavailable: 'The service cannot decide or answer just now. Repeat after `Retry-After`.',
  internal: 'A fault of the service. Name `request_id` when you report it.',
};

/** The problems of a route, in the order of their status. */
export function problemsOf(route: Route): OutcomeCode[] {
  const codes = new Set<OutcomeCode>([...ALWAYS, ...(route.operation.problems ?? [])]);
  if (route.parameters.length > 0) codes.add('not_found');
  if (route.query !== undefined && 'cursor' in route.query.shape) codes.add('invalid_cursor');
  if (isWrite(route)) for (const code of OF_WRITES) codes.add(code);
  if (takesIfMatch(route)) codes.add('precondition_failed');
  return [...codes].sort((a, b) => PROBLEMS[a].status - PROBLEMS[b].status || (a < b ? -1 : 1));
}

export function isWrite(route: Route): boolean {
  return route.method !== 'get';
}

/** A change of one object that exists. */
export function takesIfMatch(route: Route): boolean {
  return route.operation.conditional ?? (isWrite(route) && !Object.hasOwn(route.operation.answers, 201));
}
