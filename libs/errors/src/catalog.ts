import type { CodeEntry } from './code-entry.js';
import type { ErrorCode, FieldCode } from './codes.js';
import { SALE_PROBLEMS } from './sale-problems.js';

export type { CodeEntry } from './code-entry.js';

interface ErrorEntry extends CodeEntry {
  /** HTTP status (RFC 9110). GraphQL returns 200 for field errors. */
  readonly status: number;
}

/** Status, title and documentation of each code. A new code does not compile without its entry. */
export const PROBLEMS: Record<ErrorCode, ErrorEntry> = {
  invalid_request: {
    status: 400,
    title: 'The request is malformed',
    meaning: 'The request is malformed: no JSON, no body where one is needed, or a parameter with a wrong value.',
    remedy: 'Read `detail` and `errors`, correct the request, then send it again. A repetition fails in the same way.',
  },
  unknown_parameter: {
    status: 400,
    title: 'A parameter is not known',
    meaning: 'A query parameter that this operation does not have.',
    remedy: 'Check the spelling of the parameter in the reference, or leave it out.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor is not valid here',
    meaning: 'The cursor was changed, or belongs to another list, filter, sort or site. Start again without it.',
    remedy: 'Request the first page without a cursor. Use a cursor only with the filter and sort that it came with.',
  },
  validation_failed: {
    status: 422,
    title: 'A value is not acceptable',
    meaning: 'The body is JSON, but not acceptable; `errors` names each place by JSON Pointer.',
    remedy: 'Correct each place that `errors` names, then send the request again.',
  },
  invalid_token: {
    status: 401,
    title: 'The access token is missing or not valid',
    meaning: 'The access token is missing, expired, revoked or for another site. See `WWW-Authenticate`.',
    remedy: 'Refresh the access token. When that fails, start the authorization flow again: `/auth.md` shows how.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The access token lacks a scope',
    meaning: 'The access token lacks a scope; `WWW-Authenticate` names all that are needed.',
    remedy: 'Start the authorization flow again with the scopes that `WWW-Authenticate` names and those of the token.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    meaning: 'The caller may not do this with any scope.',
    remedy: 'Ask an owner of the site. Other scopes change nothing.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'The object does not exist at this site.',
    remedy: 'Take ids from a list of the same site. A deleted object and one of another site look the same.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    meaning: 'The path exists, the method does not; see `Allow`.',
    remedy: 'Use a method that `Allow` names.',
  },
  not_acceptable: {
    status: 406,
    title: 'No acceptable representation',
    meaning: 'No representation fits the `Accept` header.',
    remedy: 'Send `Accept: application/json`, or leave the header out.',
  },
  already_exists: {
    status: 409,
    title: 'It exists already',
    meaning: 'Another object has the value that must be unique; `errors` names it.',
    remedy: 'Use the object that exists, or choose another value.',
  },
  invalid_state: {
    status: 409,
    title: 'Not possible in this state',
    meaning: 'The object is not in a state in which this is possible.',
    remedy: 'Read the object, change its state first, then repeat the request with another `Idempotency-Key`.',
  },
  resource_in_use: {
    status: 409,
    title: 'Something depends on it',
    meaning: 'Something else depends on the object.',
    remedy: 'Remove what depends on the object first, or archive the object.',
  },
  quota_exceeded: {
    status: 409,
    title: 'The quota of the site is used up',
    meaning: 'The site has no room for another object of this kind or size.',
    remedy: 'Delete what the site no longer needs, or ask the operator of the deployment for a larger quota.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request with this key is still running',
    meaning: 'The first request with this `Idempotency-Key` has not ended yet. Repeat after `Retry-After`.',
    remedy: 'Wait for the seconds of `Retry-After`, then send the same request with the same key.',
  },
  precondition_failed: {
    status: 412,
    title: 'It was modified since it was read',
    meaning:
      '`If-Match` names another version: the object was modified since it was read. Or `If-None-Match: *` only ' +
      'creates, and the object exists.',
    remedy:
      'Read the object again, apply the change to the new version, and send its `ETag` in `If-Match`, with another ' +
      '`Idempotency-Key`. Without `If-None-Match` a `PUT` changes the object that exists.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    meaning: 'The body is larger than the limit that the description names.',
    remedy: 'Split the request into smaller ones.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type is not supported',
    meaning: 'The media type of the body is not JSON.',
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
  unknown_host: {
    status: 421,
    title: 'No site has this host',
    meaning: 'No site is served under the host of the request.',
    remedy: 'Check the host of the URL. A site is served under its own origin only.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The key was used with another body',
    meaning: 'The `Idempotency-Key` was used with another body within the last 24 hours.',
    remedy: 'Use a new key for each new request, and the same key only to repeat one.',
  },
  precondition_required: {
    status: 428,
    title: 'If-Match is required',
    meaning: '`If-Match` is needed here.',
    remedy: 'Read the object and send its `ETag` in `If-Match`.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning: 'The quota of this minute is used up. Repeat after `Retry-After`.',
    remedy: 'Wait for the seconds of `Retry-After`. `RateLimit` shows the rest of the quota in each response.',
  },
  temporarily_unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    meaning: 'The service cannot process the request at the moment. Retry after `Retry-After`.',
    remedy: 'Repeat the request after the seconds of `Retry-After`, a write with the same `Idempotency-Key`.',
  },
  internal: {
    status: 500,
    title: 'Something went wrong on our side',
    meaning: 'An unexpected error of the service. Include `request_id` when you report it.',
    remedy: 'Repeat the request later. Report the error with its request id when it persists.',
  },
  graphql_parse_failed: {
    status: 400,
    title: 'The document cannot be parsed',
    meaning: 'The text in `query` is no GraphQL document, or has more tokens than a document may have.',
    remedy: 'Correct the syntax at the place that `locations` names, or split a long document.',
  },
  graphql_validation_failed: {
    status: 400,
    title: 'The document does not fit the schema',
    meaning: 'The document names a field, an argument or a type that the schema does not have, or exceeds a limit.',
    remedy: 'Compare the document with `/member/schema.graphql`.',
  },
  operation_resolution_failure: {
    status: 400,
    title: 'No operation was chosen',
    meaning: 'The document has several operations and `operationName` names none of them, or it has no operation.',
    remedy: 'Send the name of one operation of the document in `operationName`.',
  },
  persisted_query_not_supported: {
    status: 400,
    title: 'Persisted queries are not supported',
    meaning: 'The request has the hash of a document in place of the document.',
    remedy: 'Send the whole document in `query`.',
  },
  depth_limit_exceeded: {
    status: 400,
    title: 'The query is too deep',
    meaning: 'The fields of the query are nested deeper than the limit in `message`.',
    remedy: 'Split the query into several ones.',
  },
  cost_limit_exceeded: {
    status: 400,
    title: 'The query costs too much',
    meaning: 'The query can return more than one operation may.',
    remedy: 'Request fewer items with `first`, or split the query.',
  },
  first_out_of_range: {
    status: 400,
    title: 'The page size is out of range',
    meaning: '`first` or `last` is outside of the range in `message`.',
    remedy: 'Request a page size in the range, and the next page with `after`.',
  },
};

/** Documentation of the codes in `errors`. */
export const FIELD_PROBLEMS: Record<FieldCode, CodeEntry> = {
  required: {
    title: 'The value is missing',
    meaning: 'A value that is required is missing.',
    remedy: 'Send the value.',
  },
  invalid_type: {
    title: 'The value has another type',
    meaning: 'The value has another type than the reference names, for instance text in place of a number.',
    remedy: 'Send the type that the reference names.',
  },
  invalid_format: {
    title: 'The value has another format',
    meaning: 'The value does not have the format that `detail` names, for instance a date or a URL.',
    remedy: 'Send the value in the format that `detail` names.',
  },
  invalid_value: {
    title: 'The value is not acceptable',
    meaning: 'The value is none of those that are accepted here. `detail` names the rule.',
    remedy: 'Choose an accepted value.',
  },
  too_small: {
    title: 'The value is too small or too short',
    meaning: 'A number is too small, an instant too early, or a text or a list too short.',
    remedy: 'Send a value above the minimum that `detail` names.',
  },
  too_large: {
    title: 'The value is too large or too long',
    meaning: 'A number is too large, or a text or a list too long.',
    remedy: 'Send a value below the maximum that `detail` names.',
  },
  too_deep: {
    title: 'The value is nested too deep',
    meaning: 'The lists and objects of the value are nested deeper than the limit in `detail`.',
    remedy: 'Flatten the value.',
  },
  repeated: {
    title: 'A value is repeated',
    meaning: 'A value that must stand once in a list occurs twice.',
    remedy: 'Send each value once.',
  },
  not_changeable: {
    title: 'The value cannot be changed',
    meaning: 'The value is the same for everyone and has no setting.',
    remedy: 'Leave the value out.',
  },
  unknown_member: {
    title: 'The member is not known',
    meaning: 'The object has a member that the operation does not know.',
    remedy: 'Check the spelling of the member in the reference, or leave it out.',
  },
  low_contrast: {
    title: 'The contrast is too low',
    meaning: 'Text in these colors is not readable (WCAG 2.2 AA). `detail` names the contrast that is needed.',
    remedy: 'Choose a darker or a lighter color.',
  },
  ...SALE_PROBLEMS,
};
