import type { FastifyRequest } from 'fastify';
import { REDACTED } from './redaction.js';

/** Route parameters whose values are secrets or sensitive. */
const SECRET_PARAMETERS = new Set([':token', ':uid']);
/** Characters of a UUID. A longer segment of a path without a route may be a secret, such as a mistyped link. */
const LONGEST_KNOWN_SEGMENT = 36;

/** Returns the path without the query, which can contain codes and tokens. */
export function pathOf(request: FastifyRequest): string {
  const url = request.originalUrl;
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** The path for logs: without the query and without secret segments. */
export function loggedPath(request: FastifyRequest): string {
  const pattern = request.routeOptions?.url?.split('/');
  const isSecret = (segment: string, index: number): boolean =>
    pattern === undefined ? segment.length > LONGEST_KNOWN_SEGMENT : SECRET_PARAMETERS.has(pattern[index] ?? '');
  return pathOf(request)
    .split('/')
    .map((segment, index) => (isSecret(segment, index) ? REDACTED : segment))
    .join('/');
}
