import type { FastifyRequest } from 'fastify';

/** Largest part of a refused body that is read. */
const DRAIN_BYTES = 8 * 1024 * 1024;

/**
 * Reads and discards a refused body of limited length, so that the connection can be kept. Fastify would close it;
 * closing with unread bytes resets the connection, and the client or a proxy loses the response (RFC 9112 §9.6).
 * Returns false when the connection must close.
 */
export function drainsBody({ headers, raw }: FastifyRequest): boolean {
  // The client asked to close the connection, so the response must confirm it.
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
