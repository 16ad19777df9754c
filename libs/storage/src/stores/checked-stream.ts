import { Transform } from 'node:stream';
import type { TransformCallback } from 'node:stream';
import type { PromisedFile } from './file-store.js';
import { PromisedBytes } from './promised-bytes.js';
import { Turns } from './turns.js';

/** Shared by all files that are hashed at one time: a hundred of them would keep other requests waiting. */
const TURNS = new Turns();
/** Bytes that wait in each stream for its turn. */
const WAITING_BYTES = 16 * 1024;

/** Passes bytes through. Fails with `WrongBytes` at the first excess byte, or at the end if size or SHA-256 differ. */
export class CheckedStream extends Transform {
  readonly #bytes: PromisedBytes;

  constructor(promised: Pick<PromisedFile, 'bytes' | 'sha256'>) {
    super({ highWaterMark: WAITING_BYTES });
    this.#bytes = new PromisedBytes(promised);
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      this.#bytes.count(piece);
    } catch (error) {
      return done(error as Error);
    }
    TURNS.take(() => {
      this.#bytes.hash(piece);
      done(null, piece);
    });
  }

  override _flush(done: TransformCallback): void {
    try {
      this.#bytes.end();
      done();
    } catch (error) {
      done(error as Error);
    }
  }
}
