import { matchesDigest, sameSecret, sha256 } from './digest.js';

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
