import { matchesDigest } from '#src/secrets/digest.js';

/** Whether a client proves who it is: with its secret, or, a public one, by having none (RFC 6749 §2.1, §2.3.1). */
export function isAuthentic(secretHash: Uint8Array | null, given: string | undefined): boolean {
  if (secretHash === null) return given === undefined;
  return given !== undefined && matchesDigest(given, secretHash);
}
