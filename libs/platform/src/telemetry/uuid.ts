import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 4096;
const BYTES_PER_ID = 10;
const SEQUENCE_LIMIT = 0x1000;

const pool = Buffer.allocUnsafe(POOL_BYTES);
let used = POOL_BYTES;
let lastMillisecond = 0;
let sequence = 0;

/**
 * A new UUIDv7 (RFC 9562 §5.7), lower-case with hyphens: 48 bits of Unix milliseconds, a 12-bit counter within the
 * millisecond (§6.2 method 1, random seed), 62 random bits. Ids of one process sort in creation order.
 */
export function uuidv7(): string {
  if (used + BYTES_PER_ID > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const at = used;
  used += BYTES_PER_ID;
  const now = Date.now();
  if (now > lastMillisecond) {
    lastMillisecond = now;
    // The lower half only, so that a burst has room to count.
    sequence = pool.readUInt16BE(at) & 0x7ff;
  } else {
    sequence += 1;
    if (sequence === SEQUENCE_LIMIT) {
      lastMillisecond += 1;
      sequence = 0;
    }
  }
  const time = lastMillisecond.toString(16).padStart(12, '0');
  const counter = sequence.toString(16).padStart(3, '0');
  const variant = ((pool.readUInt16BE(at + 2) & 0x3fff) | 0x8000).toString(16);
  const node = pool.toString('hex', at + 4, at + 10);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${variant}-${node}`;
}
