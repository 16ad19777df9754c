import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** SHA-256: enough for bearer values, which are 256 random bits. */
export function sha256(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}

/** 256 random bits, URL-safe: for links, secrets and client ids. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
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
