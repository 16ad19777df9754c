import { createHash } from 'node:crypto';
import type { PromisedFile } from './file-store.js';

/** Thrown for bytes with another size or SHA-256 than promised. */
export class WrongBytes extends Error {
  override readonly name = 'WrongBytes';

  constructor(readonly reason: 'size_mismatch' | 'sha256_mismatch') {
    super(`The bytes are not the promised ones: ${reason}`);
  }
}

/** Compares bytes that arrive in pieces with the promised size and SHA-256. */
export class PromisedBytes {
  readonly #hash = createHash('sha256');
  #left: number;

  constructor(private readonly promised: Pick<PromisedFile, 'bytes' | 'sha256'>) {
    this.#left = promised.bytes;
  }

  /** Counts a piece. @throws {WrongBytes} at the first excess byte */
  count({ length }: Buffer): void {
    this.#left -= length;
    if (this.#left < 0) throw new WrongBytes('size_mismatch');
  }

  hash(piece: Buffer): void {
    this.#hash.update(piece);
  }

  /** @throws {WrongBytes} */
  end(): void {
    if (this.#left !== 0) throw new WrongBytes('size_mismatch');
    if (this.#hash.digest('hex') !== this.promised.sha256) throw new WrongBytes('sha256_mismatch');
  }
}
