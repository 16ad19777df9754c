import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** URLs of the site that an answer names. */
export interface Urls {
  /** This list from a cursor on. */
  nextPage(cursor: string): string;
  /** A path of this service. */
  to(path: string): string;
}

export const SiteUrls = createParamDecorator((_data: unknown, context: ExecutionContext): Urls => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const base = request.site?.base_url ?? '';
  return {
    to: (path) => `${base}${path}`,
    nextPage: (cursor) => {
      const [path = '', query = ''] = request.url.split('?', 2);
      const parameters = new URLSearchParams(query);
      parameters.set('cursor', cursor);
      return `${base}${path}?${parameters.toString()}`;
    },
  };
});
