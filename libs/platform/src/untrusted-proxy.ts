import type { FastifyRequest } from 'fastify';
import type { Logger } from './logger.js';

/** At most one warning in this time, however many requests arrive. */
const WARNING_MS = 60_000;

/**
 * Warns when a peer that TRUSTED_PROXIES does not contain sends X-Forwarded-For. The header is then ignored: behind a proxy
 * all clients look like one, and share its rate limits.
 */
export function untrustedProxyWarning(logger: Logger): (request: FastifyRequest) => void {
  let next = -Infinity;
  return (request) => {
    const forwarded = request.headers['x-forwarded-for'];
    // With a trusted peer, `ips` has the peer and the addresses that it named.
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
