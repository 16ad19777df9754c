import type { Socket } from 'node:net';

/** How often connections are looked at: a slow one ends this much later, at most. */
const CHECKING_MS = 1_000;

interface Progress {
  /** Bytes that have left the process. */
  sent: number;
  /** Monotonic milliseconds. */
  since: number;
}

/**
 * Ends connections whose client reads nothing of a response, which would otherwise hold a connection to the service. A
 * stream that has nothing to send is not slow.
 */
export class SlowReaders {
  readonly #connections = new Map<Socket, Progress>();
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly limitMs: number) {
    this.#timer = setInterval(() => this.#check(), Math.min(CHECKING_MS, limitMs / 2)).unref();
  }

  watch(socket: Socket): void {
    this.#connections.set(socket, { sent: 0, since: performance.now() });
    socket.once('close', () => this.#connections.delete(socket));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const now = performance.now();
    for (const [socket, progress] of this.#connections) {
      const sent = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || sent !== progress.sent) {
        progress.sent = sent;
        progress.since = now;
      } else if (now - progress.since >= this.limitMs) {
        socket.destroy();
      }
    }
  }
}
