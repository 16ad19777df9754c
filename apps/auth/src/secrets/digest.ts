import { hash, randomFillSync, timingSafeEqual } from 'node:crypto';

const TOKEN_BYTES = 32;
/** Random bytes of the next tokens: 128 tokens cost as much as one. */
const pool = Buffer.alloc(128 * TOKEN_BYTES);
let used = pool.length;

/** SHA-256: enough for bearer values, which are 256 random bits. */
export function sha256(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}

/** 256 random bits, URL-safe: for links, secrets and client ids. */
export function randomToken(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const from = used;
  used += TOKEN_BYTES;
  const token = pool.toString('base64url', from, used);
  // The pool keeps no copy of a token.
  pool.fill(0, from, used);
  return token;
}

/** Compares a secret with a stored digest in constant time. */
export function matchesDigest(given: string, digest: Uint8Array): boolean {
  return timingSafeEqual(sha256(given), digest);
}

/** Compares two secrets in a time that reveals only their length. */
export function sameSecret(given: string, secret: Uint8Array): boolean {
  const bytes = Buffer.from(given);
  return bytes.length === secret.length && timingSafeEqual(bytes, secret);
}
