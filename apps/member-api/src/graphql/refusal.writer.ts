import { Injectable, Logger } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { toApiError } from '@lyceum/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UNEXPECTED_ERROR, headOf, showError } from './graphql-errors.policy.js';
import { JSON_TYPE, responseType } from '#src/schema/media-types.policy.js';

/** Writes rejections that precede GraphQL in the form of GraphQL errors. */
@Injectable()
export class RefusalWriter {
  readonly #logger = new Logger(RefusalWriter.name);

  write(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const apiError = this.#apiErrorOf(error);
    const { message, ...shown } = showError(apiError);
    const { status, headers } = headOf(apiError);
    for (const [name, value] of headers) void reply.header(name, value);
    void reply
      .code(status)
      .header('cache-control', 'no-store')
      .header('content-type', `${responseType(request.headers.accept) ?? JSON_TYPE}; charset=utf-8`)
      .send(JSON.stringify({ errors: [{ message, extensions: { ...shown, requestId: request.id } }] }));
  }

  #apiErrorOf(error: unknown): ApiError {
    const apiError = toApiError(error);
    if (apiError !== undefined && apiError.code !== 'internal') return apiError;
    this.#logger.error(error);
    return new ApiError('internal', UNEXPECTED_ERROR);
  }
}
