import { Injectable } from '@nestjs/common';
import { FILE_JOB_QUEUE } from '#src/file-jobs/file-job.policy.js';
import { EXPORT_LIMITS } from './export.policy.js';

/** A part is stored while the next one is written. */
const PARTS_OF_RUN = 2;
/** A part, and in most cases the statement that ends it. */
const BYTES = 1.5 * EXPORT_LIMITS.bytesOfPart;
/** Bytes of UTF-8 that a unit of UTF-16 has at most. */
const BYTES_OF_UNIT = 3;

/** The text of a part in a buffer. */
export class PartText {
  #used = 0;
  #more: Buffer[] = [];

  constructor(readonly buffer: Buffer) {}

  add(text: string): void {
    const room = this.buffer.length - this.#used;
    const fits = text.length * BYTES_OF_UNIT <= room || Buffer.byteLength(text) <= room;
    if (fits && this.#more.length === 0) this.#used += this.buffer.write(text, this.#used);
    else this.#more.push(Buffer.from(text));
  }

  get bytes(): number {
    return this.#more.reduce((sum, { length }) => sum + length, this.#used);
  }

  /** Views of the buffer, and what did not fit into it. */
  get pieces(): readonly Buffer[] {
    return [this.buffer.subarray(0, this.#used), ...this.#more];
  }
}

/**
 * Gives parts their buffers, and one buffer to many parts in turn. A new buffer for each statement of a part outlives
 * two collections of the young generation, and then waits for a collection of the whole heap.
 */
@Injectable()
export class PartTexts {
  readonly #free: Buffer[] = [];

  take(): PartText {
    return new PartText(this.#free.pop() ?? Buffer.allocUnsafeSlow(BYTES));
  }

  /** Call it when nothing reads the text any more. */
  giveBack({ buffer }: PartText): void {
    if (this.#free.length < FILE_JOB_QUEUE.sites * PARTS_OF_RUN) this.#free.push(buffer);
  }
}
