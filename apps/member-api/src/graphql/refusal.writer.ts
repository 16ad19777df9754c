import { Injectable, Logger } from '@nestjs/common';
import { Outcome } from '@lyceum/errors';
import { toOutcome } from '@lyceum/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FAULT, headOf, showOutcome } from './graphql-errors.policy.js';
import { JSON_TYPE, answerType } from '#src/schema/media-types.policy.js';

/** Refusals that come before GraphQL, in the form in which GraphQL clients read errors. */
@Injectable()
export class RefusalWriter {
  readonly #logger = new Logger(RefusalWriter.name);

  write(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const outcome = this.#outcomeOf(error);
    const { message, ...shown } = showOutcome(outcome);
    const { status, headers } = headOf(outcome);
    for (const [name, value] of headers) void reply.header(name, value);
    void reply
      .code(status)
      .header('cache-control', 'no-store')
      .header('content-type', `${answerType(request.headers.accept) ?? JSON_TYPE}; charset=utf-8`)
      .send(JSON.stringify({ errors: [{ message, extensions: { ...shown, requestId: request.id } }] }));
  }

  #outcomeOf(error: unknown): Outcome {
    const outcome = toOutcome(error);
    if (outcome !== undefined && outcome.code !== 'internal') return outcome;
    this.#logger.error(error);
    return new Outcome('internal', FAULT);
  }
}
