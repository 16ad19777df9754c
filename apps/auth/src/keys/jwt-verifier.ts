import { createPublicKey, verify } from 'node:crypto';
import type { PublicJwk } from './signing-key.js';

function decoded(part: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** The claims of a JWT that one of these keys signed with ES256 (RFC 7515 §5.2); its lifetime is not checked. */
export function verifiedClaims(keys: readonly PublicJwk[], token: string): Record<string, unknown> | undefined {
  const [header, claims, signature, ...more] = token.split('.');
  if (signature === undefined || more.length > 0) return undefined;
  const { alg, kid } = decoded(header) ?? {};
  const jwk = keys.find((key) => key.kid === kid);
  if (jwk === undefined || alg !== jwk.alg) return undefined;
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  const input = Buffer.from(`${header}.${claims}`);
  const isGenuine = verify('sha256', input, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  return isGenuine ? decoded(claims) : undefined;
}
