import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import './sites.hook.js';

/** The HTTP request beneath an execution context. GraphQL keeps it as `req` in its own context, the third argument. */
export function requestOf(context: ExecutionContext): FastifyRequest {
  if (context.getType<'http' | 'graphql'>() === 'http') return context.switchToHttp().getRequest<FastifyRequest>();
  const { req } = context.getArgByIndex<{ req?: FastifyRequest }>(2);
  if (req === undefined) throw new Error(`There is no HTTP request in a context of type ${context.getType()}`);
  return req;
}
