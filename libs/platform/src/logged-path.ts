import type { FastifyRequest } from 'fastify';
import { REDACTED } from './redaction.js';

/** Parameters of routes whose values are secrets, or nearly. */
const SECRET_PARAMETERS = new Set([':token', ':uid']);
/** Characters of a UUID. A longer segment of a path without a route may be a secret, such as a mistyped link. */
const LONGEST_KNOWN_SEGMENT = 36;

/** Without the query, which may carry codes and tokens. */
export function pathOf(request: FastifyRequest): string {
  const url = request.originalUrl;
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** The path as a log may show it: without the query, and without the secrets that a segment may carry. */
export function loggedPath(request: FastifyRequest): string {
  const pattern = request.routeOptions?.url?.split('/');
  const isSecret = (segment: string, index: number): boolean =>
    pattern === undefined ? segment.length > LONGEST_KNOWN_SEGMENT : SECRET_PARAMETERS.has(pattern[index] ?? '');
  return pathOf(request)
    .split('/')
    .map((segment, index) => (isSecret(segment, index) ? REDACTED : segment))
    .join('/');
}
