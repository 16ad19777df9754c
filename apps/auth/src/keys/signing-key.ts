import { generateKeyPairSync, hash } from 'node:crypto';
import { z } from 'zod';

/** A P-256 public key as a JWK for ES256 (RFC 7518 §6.2). */
export const publicJwkSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal('ES256'),
});
export type PublicJwk = z.infer<typeof publicJwkSchema>;

export const privateJwkSchema = publicJwkSchema.extend({ d: z.string() });
export type PrivateJwk = z.infer<typeof privateJwkSchema>;

/** RFC 7638: the digest of the required members in their alphabetic order. */
export function thumbprint({ crv, kty, x, y }: Pick<PublicJwk, 'crv' | 'kty' | 'x' | 'y'>): string {
  return hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url');
}

/** A new key for ES256, named by its thumbprint. */
export function generateSigningKey(): PrivateJwk {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y, d } = z
    .object({ x: z.string(), y: z.string(), d: z.string() })
    .parse(privateKey.export({ format: 'jwk' }));
  const kid = thumbprint({ crv: 'P-256', kty: 'EC', x, y });
  return { kty: 'EC', crv: 'P-256', x, y, d, kid, use: 'sig', alg: 'ES256' };
}

export function toPublic({ kty, crv, x, y, kid, use, alg }: PrivateJwk): PublicJwk {
  return { kty, crv, x, y, kid, use, alg };
}
