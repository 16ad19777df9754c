import { Outcome } from '@lyceum/errors';
import { BearerAuthenticator } from '@lyceum/resource-server';
import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catchError, map } from 'rxjs';
import type { Observable } from 'rxjs';
import { ApiResponse, PERSONAL } from './response.js';
import { bodyTag, isFresh } from './etag.policy.js';

/** Sends an `ApiResponse`: its status and headers, and for a GET the entity tag, or 304 when the caller has it already. */
@Injectable()
export class ResponseInterceptor implements NestInterceptor {
  constructor(private readonly authenticator: BearerAuthenticator) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    return next.handle().pipe(
      map((value: unknown) =>
        value instanceof ApiResponse ? send(value, request, http.getResponse<FastifyReply>()) : value,
      ),
      catchError((error: unknown) => {
        throw this.#challenged(error, request);
      }),
    );
  }

  /** An operation that needs a further scope does not know the site that the challenge names. */
  #challenged(error: unknown, { site }: FastifyRequest): unknown {
    if (!(error instanceof Outcome) || error.code !== 'insufficient_scope' || !site) return error;
    return this.authenticator.insufficientScope(site, error.scopes);
  }
}

function send(answer: ApiResponse, request: FastifyRequest, reply: FastifyReply): string | undefined {
  reply.code(answer.status).headers({ ...PERSONAL, ...answer.headers });
  if (answer.status === 204) return undefined;
  const body = JSON.stringify(answer.body);
  if (request.method === 'GET' || request.method === 'HEAD') {
    const etag = answer.headers['etag'] ?? bodyTag(body);
    reply.header('etag', etag);
    if (isFresh(etag, request.headers['if-none-match'])) {
      reply.code(304);
      return undefined;
    }
  }
  reply.type('application/json; charset=utf-8');
  return body;
}
