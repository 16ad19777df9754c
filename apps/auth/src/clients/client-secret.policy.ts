import { matchesDigest } from '#src/secrets/digest.js';

/** Authenticates a client: by its secret, or, for a public client, by the absence of one (RFC 6749 §2.1, §2.3.1). */
export function isAuthentic(secretHash: Uint8Array | null, given: string | undefined): boolean {
  if (secretHash === null) return given === undefined;
  return given !== undefined && matchesDigest(given, secretHash);
}
