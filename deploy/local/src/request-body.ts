import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished, PassThrough, Writable, type Readable } from 'node:stream';

/** How much of a body is read after its response. The connection of a client that sends more ends. */
const READ_ON_BYTES = 16 * 1024 * 1024;

/**
 * The body of a request, for the service. Nothing of it is read before a connection reads it, so that the request can
 * be sent elsewhere when none was made. A service may refuse a body before it has read all of it: see `discardRest`.
 */
export function bodyOf(request: IncomingMessage): Readable {
  const body = new PassThrough();
  body.once('resume', () => {
    request.pipe(body);
    body.once('close', () => discardRest(request));
  });
  return body;
}

/**
 * Reads the rest of a body that no service takes: a connection that closes with unread bytes is reset, and the client
 * loses the response (RFC 9112 §9.6).
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete) return;
  let left = READ_ON_BYTES;
  request.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) request.destroy();
  });
  request.resume();
}

/** The sink of a response body. Delays its end, because Node then closes a connection that is not kept alive. */
export function bodyTo(response: ServerResponse, request: IncomingMessage): Writable {
  if (request.complete || response.shouldKeepAlive) return response;
  return new Writable({
    write: (piece, _encoding, done) => {
      if (response.write(piece)) done();
      else response.once('drain', done);
    },
    final: (done) => finished(request, () => response.end(done)),
  });
}
