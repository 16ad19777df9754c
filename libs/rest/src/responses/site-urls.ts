import type { FastifyRequest } from 'fastify';

/** URLs of the site that an answer names. */
export interface Urls {
  /** This list from a cursor on. */
  nextPage(cursor: string): string;
  /** A path of this service. */
  to(path: string): string;
}

export function urlsOf(request: Pick<FastifyRequest, 'site' | 'url'>): Urls {
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
}
