import { compactVerify, createLocalJWKSet, decodeProtectedHeader, errors } from 'jose';
import { z } from 'zod';
import type { PublicJwk } from './signing-key.js';

const claimsSchema = z.record(z.string(), z.unknown());
/** An RFC 7638 thumbprint with SHA-256, as each of our keys is named. */
const KID = /^[\w-]{43}$/;

/** The key that signed a JWT, by its header. Undefined for other texts, and for ids that no key of ours has. */
export function kidOf(token: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(token);
    return typeof kid === 'string' && KID.test(kid) ? kid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Verifies the ES256 signature of a JWT by these keys and returns its claims (RFC 7515 §5.2). Does not check its
 * lifetime.
 */
export async function verifiedClaims(
  keys: readonly PublicJwk[],
  token: string,
): Promise<Record<string, unknown> | undefined> {
  const keySet = createLocalJWKSet({ keys: keys.map((key) => ({ ...key })) });
  try {
    const { payload } = await compactVerify(token, keySet, { algorithms: ['ES256'] });
    return claimsSchema.parse(JSON.parse(new TextDecoder().decode(payload)));
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
