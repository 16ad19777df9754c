import { requireOccurred } from './occurrence.policy.js';

const at = (minute: number): Date => new Date(Date.UTC(2026, 9, 2, 8, minute));

it('accepts an instant until five minutes from now', () => {
  expect(() => requireOccurred(at(5), at(0), '/occurred_at')).not.toThrow();
  expect(() => requireOccurred(at(6), at(0), '/occurred_at')).toThrow(
    expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/occurred_at' })] }),
  );
});
