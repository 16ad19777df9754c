import { createPublicKey, hash, sign, verify } from 'node:crypto';
import { createPrivateKey } from 'node:crypto';
import { OVERLAP_MS, inSigningOrder, isRotationDue, rotationTimes, signs } from './rotation.policy.js';
import { generateSigningKey, toPublic } from './signing-key.js';

describe('A signing key', () => {
  it('uses the thumbprint of a key as its id (RFC 7638)', async () => {
    const { crv, kty, x, y, kid } = await generateSigningKey();
    expect(kid).toBe(hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url'));
  });

  it('verifies signatures with a public key that contains no secret', async () => {
    const jwk = await generateSigningKey();
    const publicJwk = toPublic(jwk);
    expect(publicJwk).not.toHaveProperty('d');
    const signature = sign('sha256', Buffer.from('x'), createPrivateKey({ key: jwk, format: 'jwk' }));
    expect(verify('sha256', Buffer.from('x'), createPublicKey({ key: publicJwk, format: 'jwk' }), signature)).toBe(
      true,
    );
  });
});

describe('Key rotation', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  const at = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000);
  const key = (kid: string, from: number, until: number | null, published: number | null) => ({
    kid,
    signs_from: at(from),
    signs_until: until === null ? null : at(until),
    published_until: published === null ? null : at(published),
  });
  const order = (moment: Date, ...keys: ReturnType<typeof key>[]) => inSigningOrder(keys, moment).map(({ kid }) => kid);

  it('publishes a new key a day before it signs, and an old one until a day after it stopped', () => {
    const [old, next] = [key('old', -100, 24, 48), key('next', 24, null, null)];
    expect(order(now, old, next)).toEqual(['old', 'next']);
    expect(order(at(24), old, next)).toEqual(['next', 'old']);
    expect(order(at(47.9), old, next)).toEqual(['next', 'old']);
    expect(order(at(48), old, next)).toEqual(['next']);
  });

  it('selects the newest of several signing keys', () => {
    expect(order(now, key('a', -50, null, null), key('b', -1, null, null))).toEqual(['b', 'a']);
  });

  it('never selects a key that is only published', () => {
    expect(signs(key('next', 1, null, null), now)).toBe(false);
    expect(signs(key('next', 0, null, null), now)).toBe(true);
    expect(signs(key('old', -1, 0, null), now)).toBe(false);
  });

  it('makes a rotation due a day before the rotation period ends, and not before', () => {
    const due = (...keys: ReturnType<typeof key>[]) => isRotationDue(keys, now, 90);
    expect(due(key('a', -89 * 24, null, null))).toBe(true);
    expect(due(key('a', -89 * 24 + 0.001, null, null))).toBe(false);
    expect(due(key('old', -900, -24, 24), key('a', -24, null, null))).toBe(false);
  });

  it('schedules no rotation while the next key is pending, even with a period of one day', () => {
    const keys = [key('old', -24, 1, 25), key('next', 1, null, null)];
    expect(isRotationDue(keys, now, 1)).toBe(false);
    expect(isRotationDue(keys, at(1), 1)).toBe(true);
  });

  it('schedules no rotation when it is turned off or no key exists', () => {
    expect(isRotationDue([key('a', -10_000, null, null)], now, 0)).toBe(false);
    expect(isRotationDue([], now, 90)).toBe(false);
  });

  it('keeps one signing key active at every moment', () => {
    const { signs_from, published_until } = rotationTimes(now);
    expect(signs_from.getTime() - now.getTime()).toBe(OVERLAP_MS);
    expect(published_until.getTime() - signs_from.getTime()).toBe(OVERLAP_MS);
  });
});
