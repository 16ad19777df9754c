import { readScopeOf } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { isObject } from '@lyceum/platform';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { flag } from '../paging/list-query.js';
import { parseQuery } from '../validation/parse.js';
import { requestHash } from './write.js';
import type { Write } from './write.js';

/** The only parameter of a write. */
const writeQuery = z.strictObject({ dry_run: flag.default(false) });

/** Visible ASCII, as header fields carry it. */
const IDEMPOTENCY_KEY = /^[\u0021-\u007e]{1,255}$/;

/** @param argument name of the argument of a tool that has the key; without it, the header has the key */
export function parseIdempotencyKey(value: string | undefined, argument?: string): string | null {
  if (value === undefined) return null;
  if (IDEMPOTENCY_KEY.test(value)) return value;
  const name = argument ?? 'Idempotency-Key';
  const place = argument === undefined ? { parameter: name } : { pointer: `/${name}` };
  throw new ApiError('invalid_request', `${name} is 1 to 255 visible ASCII characters`, {
    errors: [{ ...place, code: 'invalid_format', detail: '1 to 255 visible ASCII characters' }],
  });
}

/** Reads `Idempotency-Key`, `If-Match`, `If-None-Match` and `dry_run`. */
export function writeOf(request: FastifyRequest, scopes: readonly string[]): Write {
  const { dry_run } = parseQuery(writeQuery, request.query);
  const key = request.headers['idempotency-key'];
  return {
    key: parseIdempotencyKey(Array.isArray(key) ? key.join(',') : key),
    operation: `${request.method} ${request.url.split('?', 1)[0]}`,
    requestHash: requestHash(request.body),
    ...(isObject(request.body) ? { sent: request.body } : {}),
    dryRun: dry_run,
    ifMatch: request.headers['if-match'],
    ifNoneMatch: request.headers['if-none-match'],
    readScope: readScopeOf(scopes[0] ?? ''),
  };
}
