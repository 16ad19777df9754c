import { queryOf } from '@lyceum/platform';
import type { FastifyRequest } from 'fastify';

/** URLs in responses, at the origin of the site. */
export interface Urls {
  /** Returns the URL of the request with another cursor. */
  nextPage(cursor: string): string;
  /** Returns the URL of a path of this service. */
  to(path: string): string;
}

/** Returns the URLs at the site of a request. */
export function urlsOf(request: Pick<FastifyRequest, 'site' | 'url'>): Urls {
  const base = request.site?.base_url ?? '';
  return {
    to: (path) => `${base}${path}`,
    nextPage: (cursor) => {
      const [path = ''] = request.url.split('?', 1);
      const parameters = new URLSearchParams(queryOf(request.url));
      parameters.set('cursor', cursor);
      return `${base}${path}?${parameters.toString()}`;
    },
  };
}
