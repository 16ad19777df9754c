import type { FastifyRequest } from 'fastify';
import type { Logger } from '../process/logger.js';

/** Interval of warnings, for any number of requests. */
const WARNING_MS = 60_000;

/**
 * Warns when a peer outside of TRUSTED_PROXIES sends X-Forwarded-For. The header is ignored then: all clients behind a
 * proxy look like one, and share its rate limits.
 */
export function untrustedProxyWarning(logger: Logger): (request: FastifyRequest) => void {
  let next = -Infinity;
  return (request) => {
    const forwarded = request.headers['x-forwarded-for'];
    // With a trusted peer, `ips` contains the peer and the forwarded addresses.
    if (forwarded === undefined || forwarded === '' || (request.ips?.length ?? 1) > 1) return;
    const now = performance.now();
    if (now < next) return;
    next = now + WARNING_MS;
    logger.warn(
      { peer: request.socket.remoteAddress },
      'X-Forwarded-For is ignored, because TRUSTED_PROXIES does not contain this peer',
    );
  };
}
