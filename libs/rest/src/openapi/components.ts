import { ERROR_PAGES, API_ERROR_CODES, PROBLEM_MEDIA_TYPE, PROBLEMS } from '@lyceum/errors';
import type { ApiErrorCode } from '@lyceum/errors';
import { z } from 'zod';
import { fieldErrorSchema } from '@lyceum/platform';
import type { Json } from './schemas.js';

/** RFC 9457 with our extension members. */
export const problemSchema = z
  .object({
    type: z.string().meta({
      format: 'uri-reference',
      description: `URL of the page that documents the code: \`${ERROR_PAGES}/{code}\``,
    }),
    title: z.string().meta({ description: 'The same for every occurrence of the code' }),
    status: z.int().meta({ description: 'HTTP status' }),
    detail: z
      .string()
      .meta({ description: 'Error of this request: the first of `errors` with its place, where a value is wrong' }),
    instance: z.string().optional().meta({ description: 'Path of the request' }),
    code: z.enum(API_ERROR_CODES).meta({ description: 'Identifies the error for programs. Each code has a page' }),
    request_id: z.string().meta({ description: 'Value of `X-Request-Id`' }),
    error: z.string().optional().meta({ description: 'Error code of RFC 6750, for errors about the token' }),
    error_description: z.string().optional().meta({ description: 'The same as `detail`, beside `error`' }),
    errors: z.array(fieldErrorSchema).optional().meta({ description: 'Each error of the input' }),
    hint: z.string().optional().meta({ description: 'Remedy of the error, where it has exactly one' }),
  })
  .meta({ id: 'Problem' });

const string = { type: 'string' } as const;

export const PARAMETERS: Json = {
  DryRun: {
    name: 'dry_run',
    in: 'query',
    description:
      'Validates everything and changes nothing. The response is 200 with the object as it would be, which begins with ' +
      '`dry_run: true`, and `Dry-Run: true`. The `id` of an object that it would create is null.',
    schema: { type: 'boolean', default: false },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes retries safe for 24 hours: the same key of the same client and person at the same path gets the first response again, with ' +
      '`Idempotent-Replayed: true`. Refusals that depend on the state of objects (404, 409 and 412) are stored too; all others are not, such as errors of the request body, 403, 429 and 5xx.',
    schema: { ...string, minLength: 1, maxLength: 255 },
    example: '7f9c2ba4-e88f-4a3d-9d6b-5c1c3f0e7a11',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` that was read: the change is refused if the object was modified since, or does not exist. Counters are ' +
      'not modifications.',
    schema: string,
    example: '"3-42"',
  },
  IfNoneMatchToCreate: {
    name: 'If-None-Match',
    in: 'header',
    description:
      '`*` only creates: the request is refused if an object of this URL exists. With an `ETag`, it is refused if the ' +
      'object has not been modified since.',
    schema: string,
    example: '*',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` that the caller has: 304 without a body while it is current.',
    schema: string,
  },
};

const header = (description: string): Json => ({ description, schema: string });

export const HEADERS: Json = {
  DryRun: header('`true`: this is the response to `dry_run`'),
  ETag: header('Entity tag of the response (RFC 9110 §8.8.3)'),
  IdempotentReplayed: header('`true`: this is the response to an earlier request with the same `Idempotency-Key`'),
  Link: header('`rel="next"`: the next page, when there is one (RFC 8288)'),
  Location: header('URL of the new object'),
  RateLimit: header('`"read";r=599;t=42`: requests left in this window, seconds until the next one'),
  RateLimitPolicy: header(
    '`"read";q=600;w=60` or `"write";q=200;w=60`: the quota of a person with one client. A 429 names the wider quota that is used up: `read-person`, `write-person`, `read-site` or `write-site`; of a bulk request also `items` or `items-site`. `read-source` and `write-source` are the quotas of an address without a good token',
  ),
  RetryAfter: header('Seconds to wait before a retry'),
  WwwAuthenticate: header('The challenge of RFC 6750, with `resource_metadata` (RFC 9728)'),
  XRequestId: header('The id of the request: the caller’s or a generated one'),
};

export const headerReference = (...names: string[]): Json =>
  Object.fromEntries(names.map((name) => [wireName(name), { $ref: `#/components/headers/${name}` }]));

function wireName(name: string): string {
  if (name === 'ETag' || name === 'RateLimit') return name;
  if (name === 'RateLimitPolicy') return 'RateLimit-Policy';
  if (name === 'WwwAuthenticate') return 'WWW-Authenticate';
  return name.replaceAll(/(?<=[a-z]|^X)(?=[A-Z])/g, '-');
}

/** Codes of errors with `Retry-After`. */
const RETRIED: ReadonlySet<ApiErrorCode> = new Set([
  'idempotency_in_progress',
  'rate_limited',
  'temporarily_unavailable',
]);

/** Headers of the problems of a status. A host without a site has no limit. */
function headersOf(codes: readonly ApiErrorCode[], isReplayed: boolean): string[] {
  const statuses = codes.map((code) => PROBLEMS[code].status);
  return [
    'XRequestId',
    ...(codes.includes('unknown_host') ? [] : ['RateLimitPolicy', 'RateLimit']),
    ...(statuses.includes(401) || statuses.includes(403) ? ['WwwAuthenticate'] : []),
    ...(codes.some((code) => RETRIED.has(code)) ? ['RetryAfter'] : []),
    ...(isReplayed ? ['IdempotentReplayed'] : []),
  ];
}

/** One response for all problems of a status. @param isReplayed a key may have stored it */
export function problemResponse(codes: readonly ApiErrorCode[], isReplayed: boolean): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].meaning}`).join('\n\n'),
    headers: headerReference(...headersOf(codes, isReplayed)),
    content: {
      [PROBLEM_MEDIA_TYPE]: {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}
