import type { Readable } from 'node:stream';

/**
 * The pieces of a stream, one at a time, as they arrived. An iterator of the stream would take a piece ahead, so that
 * each of a hundred senders could send one more. `read` would copy all that wait into one buffer.
 */
export class ArrivingBody {
  #piece: Buffer | undefined;
  #wake: () => void = () => undefined;

  constructor(private readonly body: Readable) {
    // The listener of `error` is set before the first wait: a sender may abort before it.
    for (const event of ['end', 'error', 'close']) body.on(event, () => this.#wake());
    body.on('data', (piece: Buffer) => {
      body.pause();
      this.#piece = piece;
      this.#wake();
    });
    // A listener of `data` starts the stream.
    body.pause();
  }

  /** Waits for a piece. Returns false after the last one. @throws the error of the stream, also when it ends early */
  async hasMore(): Promise<boolean> {
    for (;;) {
      const { body } = this;
      if (body.errored !== null) throw body.errored;
      if (this.#piece !== undefined) return true;
      if (body.readableEnded) return false;
      if (body.destroyed) throw new Error('The body ended early');
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      body.resume();
      await promise;
    }
  }

  /** Takes the piece that `hasMore` has waited for. */
  take(): Buffer {
    const piece = this.#piece;
    if (piece === undefined) throw new Error('No piece has arrived');
    this.#piece = undefined;
    return piece;
  }

  /** Ends a stream whose bytes nothing will take. */
  cancel(): void {
    this.body.destroy();
  }
}
