import { hash } from 'node:crypto';
import { fetched, JWKS } from './documents.js';
import { prove } from './prove.js';
import { walker } from './walker.js';

type Jwk = Readonly<Record<string, string>>;
const keys = async (): Promise<readonly Jwk[]> => (await fetched(JWKS)).body['keys'] as Jwk[];

/** Checks every published key. */
const all = async (member: string, value: unknown): Promise<void> => {
  const published = await keys();
  expect(published.length).toBeGreaterThan(0);
  for (const key of published) expect(key[member]).toEqual(value);
};
const COORDINATE = expect.stringMatching(/^[\w-]{43}$/);

prove('keys', {
  kty: () => all('kty', 'EC'),
  crv: () => all('crv', 'P-256'),
  x: () => all('x', COORDINATE),
  y: () => all('y', COORDINATE),
  use: () => all('use', 'sig'),
  alg: () => all('alg', 'ES256'),
  async kid() {
    const published = await keys();
    // RFC 7638 §3
    for (const { kid, crv, kty, x, y } of published)
      expect(kid).toBe(hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url'));
    const { id_token } = await walker().tokens();
    const header = JSON.parse(Buffer.from(id_token.split('.')[0]!, 'base64url').toString()) as Jwk;
    expect(published.map(({ kid }) => kid)).toContain(header['kid']);
  },
});
