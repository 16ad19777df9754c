import { gunzipSync, gzipSync } from 'node:zlib';
import { TOPOLOGY_LIMITS } from '@lyceum/contracts';

/** Shorter values stay readable for the tools of NATS. */
const COMPRESSED_FROM = 4_096;
/** The first bytes of gzip. No JSON begins with them. */
const GZIP = [0x1f, 0x8b];

/** The value is larger than a mirror reads. */
export class BucketValueError extends Error {
  constructor(key: string, json: number, stored: number) {
    const { bucketJsonBytes, bucketValueBytes } = TOPOLOGY_LIMITS;
    super(
      `The value of ${key} has ${json} bytes, and ${stored} in its bucket: ` +
        `the limits are ${bucketJsonBytes} and ${bucketValueBytes} (TOPOLOGY_LIMITS).`,
    );
    this.name = 'BucketValueError';
  }
}

/** Returns the bytes of a key's value in a bucket: JSON, a long one in gzip. Throws for a value beyond the limits. */
export function encodeBucketValue(key: string, value: unknown): Uint8Array {
  const json = Buffer.from(JSON.stringify(value));
  const stored = json.length < COMPRESSED_FROM ? json : gzipSync(json);
  const { bucketJsonBytes, bucketValueBytes } = TOPOLOGY_LIMITS;
  if (json.length > bucketJsonBytes || stored.length > bucketValueBytes) {
    throw new BucketValueError(key, json.length, stored.length);
  }
  return stored;
}

/** Throws for bytes that are no JSON, and for JSON beyond the limit: 256 KiB of gzip can contain 256 MiB. */
export function decodeBucketValue(stored: Uint8Array): unknown {
  const isGzip = GZIP.every((byte, index) => stored[index] === byte);
  const json = isGzip ? gunzipSync(stored, { maxOutputLength: TOPOLOGY_LIMITS.bucketJsonBytes }) : Buffer.from(stored);
  return JSON.parse(json.toString());
}
