import type { FastifyRequest } from 'fastify';

/** A property of the request: a `WeakMap` with an entry for each request slows down the garbage collector. */
const BASE_URL = Symbol('lyceum:base-url');

interface Located {
  [BASE_URL]?: string;
}

/** Keeps the origin of the request's site: the `type` of its problems is a URL there. */
export function setBaseUrl(request: FastifyRequest & Located, baseUrl: string): void {
  request[BASE_URL] = baseUrl;
}

/** Undefined before the site of the request is known, or when it has none. */
export function baseUrlOf(request: FastifyRequest & Located): string | undefined {
  return request[BASE_URL];
}
