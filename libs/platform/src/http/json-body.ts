import { ApiError } from '@lyceum/errors';
import type { FastifyInstance } from 'fastify';

/** Deepest nesting of a JSON body. Deeper values overflow the stack of recursive code, JSON.stringify included. */
export const MAX_JSON_DEPTH = 64;

export function isTooDeep(value: unknown): boolean {
  return isDeeperThan(MAX_JSON_DEPTH, value);
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member));
}

/** Parses bodies of the media type as JSON. Rejects prototype poisoning and too deep nesting with 400. */
export function acceptJson(fastify: FastifyInstance, mediaType: string): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.addContentTypeParser<string>(mediaType, { parseAs: 'string' }, (request, body, done) => {
    void parse(request, body, (error, value) => {
      if (error === null && isTooDeep(value)) done(tooDeep());
      else done(error, value);
    });
  });
}

function tooDeep(): ApiError {
  const detail = `The body may have at most ${MAX_JSON_DEPTH} levels of lists and objects.`;
  return new ApiError('invalid_request', detail, { errors: [{ pointer: '', code: 'too_deep', detail }] });
}
