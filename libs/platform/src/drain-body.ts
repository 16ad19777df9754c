import type { FastifyRequest } from 'fastify';

/** How much of a refused body is read. */
const DRAIN_BYTES = 8 * 1024 * 1024;

/**
 * Fastify closes the connection of a refused body. Closing with unread bytes resets it, and the client or a proxy loses the
 * response (RFC 9112 §9.6). So a body of a bearable length is read and discarded, and the connection is kept. Returns false
 * when the connection must close.
 */
export function drainsBody({ headers, raw }: FastifyRequest): boolean {
  // A client that asked for the end of the connection gets it, and must be informed.
  if (headers.connection?.toLowerCase() === 'close') return false;
  const length = headers['content-length'];
  if (length !== undefined) return Number(length) <= DRAIN_BYTES;
  let left = DRAIN_BYTES;
  raw.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) raw.destroy();
  });
  return true;
}
