import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may wait. No client of the platform sends a second request before a response. */
const MOST_WAITING = 100;

interface Turn {
  /** The response that is written, or was written last. */
  current: ServerResponse;
  readonly waiting: (() => void)[];
  busy: boolean;
}

/**
 * Serves the requests of a connection one after the other. A response that waits behind another one would hold a
 * connection to its service, as long as the client does not read.
 */
export class Turns {
  readonly #turns = new WeakMap<Socket, Turn>();

  /** Runs `serve` when the earlier responses of the connection are sent. */
  take({ socket }: IncomingMessage, response: ServerResponse, serve: () => void): void {
    const turn = this.#turns.get(socket) ?? { current: response, waiting: [], busy: false };
    this.#turns.set(socket, turn);
    const start = (): void => {
      turn.current = response;
      turn.busy = true;
      response.once('close', () => {
        turn.busy = false;
        // A connection that ends sends no further response.
        if (socket.writable) turn.waiting.shift()?.();
      });
      serve();
    };
    if (!turn.busy) return start();
    turn.waiting.push(start);
    if (turn.waiting.length > MOST_WAITING) socket.destroy();
  }

  /** The response of the connection that is written, or was written last. */
  currentOf(socket: Socket): ServerResponse | undefined {
    return this.#turns.get(socket)?.current;
  }
}
