import type { Readable } from 'node:stream';
import type { PromisedFile } from './file-store.js';
import { PromisedBytes } from './promised-bytes.js';
import { release } from './release.js';
import { Turns } from './turns.js';

/** Shared by all files that are hashed at one time: a hundred of them would keep other requests waiting. */
const TURNS = new Turns();

/**
 * Reads a stored file to its end, and frees each piece.
 *
 * @throws {WrongBytes} at the first excess byte, or at the end if size or SHA-256 differ
 */
export async function requirePromised(
  stored: Readable,
  promised: Pick<PromisedFile, 'bytes' | 'sha256'>,
): Promise<void> {
  const bytes = new PromisedBytes(promised);
  for await (const piece of stored as AsyncIterable<Buffer>) {
    bytes.count(piece);
    await TURNS.run(() => bytes.hash(piece));
    release(piece);
  }
  bytes.end();
}
