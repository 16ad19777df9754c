import { matchesDigest, randomToken, sameSecret, sha256 } from './digest.js';

/** More tokens than the pool of random bytes has. */
const MANY = 1_000;

describe.each([
  ['a secret', (given: string, kept: string) => sameSecret(given, Buffer.from(kept))],
  ['a digest', (given: string, kept: string) => matchesDigest(given, sha256(kept))],
])('The comparison with %s', (_what, matches) => {
  it('accepts only the secret itself', () => {
    expect(matches('a long sécret', 'a long sécret')).toBe(true);
  });

  it.each([
    '',
    'a long sécreT',
    'b long sécret',
    'a long sécre',
    'a long sécret ',
    'a long secret',
    'a long secre\u0301t',
  ])('rejects %j', (given) => {
    expect(matches(given, 'a long sécret')).toBe(false);
  });
});

describe('randomToken', () => {
  it('returns another token of 256 bits each time', () => {
    const tokens = Array.from({ length: MANY }, randomToken);
    expect(new Set(tokens).size).toBe(MANY);
    const bytes = tokens.map((token) => Buffer.from(token, 'base64url'));
    expect(new Set(bytes.map(({ length }) => length))).toEqual(new Set([32]));
    // A part of the pool that was not filled would be zero.
    expect(bytes.filter((one) => one.subarray(0, 8).every((byte) => byte === 0))).toEqual([]);
  });
});
