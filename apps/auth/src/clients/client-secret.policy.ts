import { matchesDigest } from '#src/secrets/digest.js';

/** SHA-256 of the valid secrets of a client. All are null for a public client. */
export interface SecretHashes {
  readonly secret_hash: Uint8Array | null;
  readonly previous_secret_hash: Uint8Array | null;
}

/** Authenticates a client by a valid secret, or a public one by the absence of a secret (RFC 6749 §2.1, §2.3.1). */
export function isAuthentic({ secret_hash, previous_secret_hash }: SecretHashes, given: string | undefined): boolean {
  if (secret_hash === null) return given === undefined;
  if (given === undefined) return false;
  const isPrevious = previous_secret_hash !== null && matchesDigest(given, previous_secret_hash);
  return matchesDigest(given, secret_hash) || isPrevious;
}
