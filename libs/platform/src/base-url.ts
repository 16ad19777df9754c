import type { FastifyRequest } from 'fastify';

const baseUrls = new WeakMap<FastifyRequest, string>();

/** Keeps the origin of the request's site: the `type` of its problems is a URL there. */
export function setBaseUrl(request: FastifyRequest, baseUrl: string): void {
  baseUrls.set(request, baseUrl);
}

/** Undefined before the site of the request is known, or when it has none. */
export function baseUrlOf(request: FastifyRequest): string | undefined {
  return baseUrls.get(request);
}
