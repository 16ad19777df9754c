import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map } from 'rxjs';
import type { Observable } from 'rxjs';
import { ApiResponse, PERSONAL } from './response.js';
import { bodyTag, isFresh } from './etag.policy.js';

/** Sends an `ApiResponse`: its status and headers, and for a GET the entity tag, or 304 when the caller has it already. */
@Injectable()
export class ResponseInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return next
      .handle()
      .pipe(
        map((value: unknown) =>
          value instanceof ApiResponse
            ? send(value, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>())
            : value,
        ),
      );
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
