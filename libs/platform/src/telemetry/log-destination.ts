import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** How long a line waits for a slow reader of the pipe, and the pause between two attempts. Milliseconds. */
const PATIENCE_MS = 500;
const RETRY_MS = 10;

const NEWLINE = Buffer.from('\n');
const clock = new Int32Array(new SharedArrayBuffer(4));

let dropped = 0;

/** Log lines that this process could not write. */
export function droppedLogLines(): number {
  return dropped;
}

/**
 * Writes each line synchronously to a file descriptor. A line that cannot be written (full disk, closed pipe, blocked
 * reader) is dropped and counted: logging never throws, so a broken log never fails a request or ends the process.
 */
export class LogDestination implements DestinationStream {
  readonly #fd: number;
  /** Part of a dropped line was written, so the next one begins with a line break. */
  #torn = false;
  /** The reader is blocked: lines are dropped without waiting until a write succeeds. */
  #hung = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(line: string): void {
    let rest = this.#torn ? Buffer.concat([NEWLINE, Buffer.from(line)]) : Buffer.from(line);
    const { length } = rest;
    try {
      while (rest.length > 0) rest = rest.subarray(this.#writeSome(rest));
      this.#torn = false;
      this.#hung = false;
    } catch (error) {
      this.#torn ||= rest.length < length;
      this.#hung = isBusy(error);
      dropped += 1;
    }
  }

  /** Bytes written. Throws what `writeSync` throws. */
  #writeSome(bytes: Buffer): number {
    const until = performance.now() + (this.#hung ? 0 : PATIENCE_MS);
    for (;;) {
      try {
        return writeSync(this.#fd, bytes);
      } catch (error) {
        if (!isBusy(error) || performance.now() >= until) throw error;
        Atomics.wait(clock, 0, 0, RETRY_MS);
      }
    }
  }
}

/** True for a full pipe in non-blocking mode. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
