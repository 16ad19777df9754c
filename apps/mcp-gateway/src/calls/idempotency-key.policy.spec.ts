import { idempotencyKeyOf } from './idempotency-key.policy.js';

describe('idempotencyKeyOf', () => {
  it.each(['k', 'order-17', '~!"', 'x'.repeat(255)])('passes the key %j on in the header', (key) => {
    expect(idempotencyKeyOf({ idempotency_key: key })).toBe(key);
  });

  it.each(['', ' ', 'two words', 'k\r\nx: y', 'k\n', 'k\u0000', 'clé', 'x'.repeat(256), 5, null, ['k'], undefined])(
    'drops the invalid key %j',
    (key) => {
      expect(idempotencyKeyOf({ idempotency_key: key })).toBeUndefined();
    },
  );

  it('returns undefined without an idempotency key', () => {
    expect(idempotencyKeyOf({})).toBeUndefined();
  });
});
