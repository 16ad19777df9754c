import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AllowedOrigins } from '#src/clients/allowed-origins.service.js';

/** Seconds that a browser caches a preflight response. */
const PREFLIGHT_SECONDS = '600';
const REQUEST_HEADERS = 'Authorization, Content-Type';

/** CORS for scripts of known origins (Fetch standard, "CORS protocol"). No credentials: the token is in a header. */
@Injectable()
export class Cors {
  constructor(private readonly allowed: AllowedOrigins) {}

  /** Adds the headers. Returns true when the request was a preflight and its response has been sent. */
  async handle({ method, headers, site }: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    void reply.header('vary', 'Origin');
    const { origin } = headers;
    if (origin === undefined || site === null || !(await this.allowed.includes(site, origin))) return false;
    void reply.header('access-control-allow-origin', origin);
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) {
      void reply.header('access-control-expose-headers', 'WWW-Authenticate, Retry-After, X-Request-Id');
      return false;
    }
    await reply
      .code(204)
      .headers({
        vary: 'Origin, Access-Control-Request-Headers',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': headers['access-control-request-headers'] ?? REQUEST_HEADERS,
        'access-control-max-age': PREFLIGHT_SECONDS,
      })
      .send();
    return true;
  }
}
