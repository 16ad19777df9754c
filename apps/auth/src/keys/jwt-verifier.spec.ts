import { JwtSigner } from './jwt-signer.js';
import { verifiedClaims } from './jwt-verifier.js';
import { generateSigningKey, toPublic } from './signing-key.js';

const [own, other] = [generateSigningKey(), generateSigningKey()];
const keys = [toPublic(own)];
const token = new JwtSigner(own).sign({ sub: 'a person', exp: 1 });
const [header = '', payload = '', signature = ''] = token.split('.');
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

it('returns the claims of a token that one of the keys signed, whether it has expired or not', () => {
  expect(verifiedClaims(keys, token)).toEqual({ sub: 'a person', exp: 1 });
});

it.each([
  ['another key', new JwtSigner(other).sign({ sub: 'a person' })],
  ['another key under the same kid', new JwtSigner({ ...other, kid: own.kid }).sign({ sub: 'a person' })],
  ['no algorithm', `${encode({ alg: 'none', kid: own.kid })}.${payload}.`],
  ['another algorithm', `${encode({ alg: 'HS256', kid: own.kid })}.${payload}.${signature}`],
  ['other claims', `${header}.${encode({ sub: 'somebody else' })}.${signature}`],
  ['no signature', `${header}.${payload}.`],
  ['two parts', `${header}.${payload}`],
  ['four parts', `${token}.x`],
  ['a header that is no JSON', `x.${payload}.${signature}`],
  ['nothing', ''],
])('returns undefined for a token with %s', (_name, forged) => {
  expect(verifiedClaims(keys, forged)).toBeUndefined();
});
