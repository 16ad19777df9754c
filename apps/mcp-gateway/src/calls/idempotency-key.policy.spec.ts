import { idempotencyKeyOf } from './idempotency-key.policy.js';

describe('the idempotency key of a call', () => {
  it.each(['k', 'order-17', '~!"', 'x'.repeat(255)])('%j travels in the header', (key) => {
    expect(idempotencyKeyOf({ idempotency_key: key })).toBe(key);
  });

  it.each(['', ' ', 'two words', 'k\r\nx: y', 'k\n', 'k\u0000', 'clé', 'x'.repeat(256), 5, null, ['k'], undefined])(
    '%j does not',
    (key) => {
      expect(idempotencyKeyOf({ idempotency_key: key })).toBeUndefined();
    },
  );

  it('is none where there is none', () => {
    expect(idempotencyKeyOf({})).toBeUndefined();
  });
});
