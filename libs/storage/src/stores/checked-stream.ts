import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import type { TransformCallback } from 'node:stream';
import type { PromisedFile } from './file-store.js';
import { Turns } from './turns.js';

/** Shared by all files that are hashed at one time: a hundred uploads would keep other requests waiting. */
const TURNS = new Turns();
/** Bytes that wait in each stream for its turn. */
const WAITING_BYTES = 16 * 1024;

/** Thrown for bytes with another size or SHA-256 than promised. */
export class WrongBytes extends Error {
  override readonly name = 'WrongBytes';

  constructor(readonly reason: 'size_mismatch' | 'sha256_mismatch') {
    super(`The bytes are not the promised ones: ${reason}`);
  }
}

/** Passes bytes through. Fails with `WrongBytes` at the first excess byte, or at the end if size or SHA-256 differ. */
export class CheckedStream extends Transform {
  readonly #hash = createHash('sha256');
  #left: number;

  constructor(private readonly promised: Pick<PromisedFile, 'bytes' | 'sha256'>) {
    super({ highWaterMark: WAITING_BYTES });
    this.#left = promised.bytes;
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#left -= piece.length;
    if (this.#left < 0) return done(new WrongBytes('size_mismatch'));
    TURNS.take(() => {
      this.#hash.update(piece);
      done(null, piece);
    });
  }

  override _flush(done: TransformCallback): void {
    if (this.#left !== 0) return done(new WrongBytes('size_mismatch'));
    done(this.#hash.digest('hex') === this.promised.sha256 ? null : new WrongBytes('sha256_mismatch'));
  }
}
