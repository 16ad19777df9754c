import { createPublicKey, verify } from 'node:crypto';
import { JwtSigner } from './jwt-signer.js';
import { generateSigningKey, toPublic } from './signing-key.js';

it('signs claims with the id of its key, so that only this key verifies them (RFC 7518 §3.4)', async () => {
  const [jwk, other] = [await generateSigningKey(), await generateSigningKey()];
  const claims = { sub: 'a person', name: 'Ünïcødé' };
  const [header = '', payload = '', signature = ''] = (await new JwtSigner(jwk).sign(claims)).split('.');
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
