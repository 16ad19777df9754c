import type { Readable } from 'node:stream';

/**
 * The bytes of a stream, which leave it only when they are taken. An iterator of the stream would take a piece ahead,
 * so that each of a hundred senders could send one more.
 */
export class ArrivingBody {
  #wake: () => void = () => undefined;

  constructor(private readonly body: Readable) {
    // The listener of `error` is set before the first wait: a sender may abort before it.
    for (const event of ['readable', 'end', 'error', 'close']) body.on(event, () => this.#wake());
  }

  /** Waits for bytes. Returns false after the last ones. @throws the error of the stream, also when it ends early */
  async hasMore(): Promise<boolean> {
    for (;;) {
      const { body } = this;
      if (body.errored !== null) throw body.errored;
      if (body.readableEnded) return false;
      if (body.readableLength > 0) return true;
      if (body.destroyed) throw new Error('The body ended early');
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      // Starts the stream, and ends it after its last piece.
      body.read(0);
      await promise;
    }
  }

  /** Takes the waiting bytes. Empty when the stream has ended meanwhile. */
  take(): Buffer {
    return (this.body.read(this.body.readableLength) as Buffer | null) ?? Buffer.alloc(0);
  }

  /** Ends a stream whose bytes nothing will take. */
  cancel(): void {
    this.body.destroy();
  }
}
