import { createPublicKey, verify } from 'node:crypto';
import { JwtSigner } from './jwt-signer.js';
import { generateSigningKey, toPublic } from './signing-key.js';

it('A signed token holds its claims and its key’s name, and verifies under that key alone (RFC 7518 §3.4)', () => {
  const [jwk, other] = [generateSigningKey(), generateSigningKey()];
  const claims = { sub: 'a person', name: 'Ünïcødé' };
  const [header = '', payload = '', signature = ''] = new JwtSigner(jwk).sign(claims).split('.');
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
  expect([read(header), read(payload)]).toEqual([{ alg: 'ES256', kid: jwk.kid }, claims]);
  const isSignedBy = (key: typeof jwk): boolean =>
    verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      { key: createPublicKey({ key: { ...toPublic(key) }, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
  expect([isSignedBy(jwk), isSignedBy(other)]).toEqual([true, false]);
});
