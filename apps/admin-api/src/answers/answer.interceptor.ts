import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map } from 'rxjs';
import type { Observable } from 'rxjs';
import { Answer, PERSONAL } from './answer.js';
import { bodyTag, isFresh } from './etag.policy.js';

/** Sends an `Answer`: its status and headers, and for a GET the entity tag, or 304 when the caller has it already. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return next
      .handle()
      .pipe(
        map((value: unknown) =>
          value instanceof Answer
            ? send(value, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>())
            : value,
        ),
      );
  }
}

function send(answer: Answer, request: FastifyRequest, reply: FastifyReply): string | undefined {
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
