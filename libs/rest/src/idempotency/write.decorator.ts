import { ApiError } from '@lyceum/errors';
import { accessOf } from '@lyceum/resource-server';
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { flag } from '../paging/list-query.js';
import { refuseQuery } from '../validation/refusal.policy.js';
import { isObject } from '../validation/is-object.js';
import { readScopeOf, requestHash } from './write.js';
import type { Write } from './write.js';

/** The only parameter of a write. */
export const writeQuery = z.strictObject({ dry_run: flag.default(false) });

/** Visible ASCII, as header fields carry it. */
const IDEMPOTENCY_KEY = /^[\u0021-\u007e]{1,255}$/;

export function parseIdempotencyKey(value: string | undefined): string | null {
  if (value === undefined) return null;
  if (IDEMPOTENCY_KEY.test(value)) return value;
  throw new ApiError('invalid_request', 'Idempotency-Key is 1 to 255 visible ASCII characters', {
    errors: [{ parameter: 'Idempotency-Key', code: 'invalid_format', detail: '1 to 255 visible ASCII characters' }],
  });
}

/** Reads `Idempotency-Key`, `If-Match` and `dry_run`. */
export const WriteRequest = createParamDecorator((_data: unknown, context: ExecutionContext): Write => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const query = writeQuery.safeParse(request.query, { reportInput: true });
  if (!query.success) throw refuseQuery(query.error);
  const key = request.headers['idempotency-key'];
  const access = accessOf(context.getHandler(), context.getClass());
  return {
    key: parseIdempotencyKey(Array.isArray(key) ? key.join(',') : key),
    operation: `${request.method} ${request.url.split('?', 1)[0]}`,
    requestHash: requestHash(request.body),
    ...(isObject(request.body) ? { sent: request.body } : {}),
    dryRun: query.data.dry_run,
    ifMatch: request.headers['if-match'],
    readScope: readScopeOf(access?.open === false ? access.scopes : []),
  };
});
