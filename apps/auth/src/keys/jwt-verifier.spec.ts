import { JwtSigner } from './jwt-signer.js';
import { kidOf, verifiedClaims } from './jwt-verifier.js';
import { generateSigningKey, toPublic } from './signing-key.js';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

async function stage() {
  const [own, other] = [await generateSigningKey(), await generateSigningKey()];
  const token = await new JwtSigner(own).sign({ sub: 'a person', exp: 1 });
  const [header = '', payload = '', signature = ''] = token.split('.');
  return { own, other, token, header, payload, signature };
}

describe('verifiedClaims', () => {
  let given: Awaited<ReturnType<typeof stage>>;

  beforeAll(async () => {
    given = await stage();
  });

  it('returns the claims of a token that one of the keys signed, also after it has expired', async () => {
    const { own, other, token } = given;
    const keys = [toPublic(other), toPublic(own)];
    expect(await verifiedClaims(keys, token)).toEqual({ sub: 'a person', exp: 1 });
  });

  it.each<[string, (made: typeof given) => string | Promise<string>]>([
    ['another key', ({ other }) => new JwtSigner(other).sign({ sub: 'a person' })],
    ['another key under the same kid', ({ own, other }) => new JwtSigner({ ...other, kid: own.kid }).sign({})],
    ['no algorithm', ({ own, payload }) => `${encode({ alg: 'none', kid: own.kid })}.${payload}.`],
    [
      'another algorithm',
      ({ own, payload, signature }) => `${encode({ alg: 'HS256', kid: own.kid })}.${payload}.${signature}`,
    ],
    ['other claims', ({ header, signature }) => `${header}.${encode({ sub: 'another person' })}.${signature}`],
    ['no signature', ({ header, payload }) => `${header}.${payload}.`],
    ['two parts', ({ header, payload }) => `${header}.${payload}`],
    ['four parts', ({ token }) => `${token}.x`],
    ['a header that is not JSON', ({ payload, signature }) => `x.${payload}.${signature}`],
    ['no text', () => ''],
  ])('returns undefined for a token with %s', async (_name, forge) => {
    expect(await verifiedClaims([toPublic(given.own)], await forge(given))).toBeUndefined();
  });
});

describe('kidOf', () => {
  it('returns the id of the key that signed a token', async () => {
    const key = await generateSigningKey();
    expect(kidOf(await new JwtSigner(key).sign({}))).toBe(key.kid);
  });

  it.each([
    ['no text', ''],
    ['a header that is not JSON', 'x.e30.x'],
    ['no kid', `${encode({ alg: 'ES256' })}.e30.x`],
    ['a kid that is a number', `${encode({ alg: 'ES256', kid: 1 })}.e30.x`],
    ['a kid with a NUL', `${encode({ alg: 'ES256', kid: `${'a'.repeat(42)}\0` })}.e30.x`],
  ])('returns undefined for %s', (_name, token) => {
    expect(kidOf(token)).toBeUndefined();
  });
});
