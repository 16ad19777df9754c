import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
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

/** A new key for ES256, named by its thumbprint (RFC 7638). */
export async function generateSigningKey(): Promise<PrivateJwk> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  return privateJwkSchema.parse({ ...jwk, kid: await calculateJwkThumbprint(jwk), use: 'sig', alg: 'ES256' });
}

export function toPublic({ kty, crv, x, y, kid, use, alg }: PrivateJwk): PublicJwk {
  return { kty, crv, x, y, kid, use, alg };
}
