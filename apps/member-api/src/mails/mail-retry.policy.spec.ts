import { ATTEMPTS, retryAfter } from './mail-retry.policy.js';

it.each([
  [1, 30],
  [2, 60],
  [10, 15_360],
  [11, 21_600],
  [ATTEMPTS - 1, 21_600],
  [ATTEMPTS, null],
  [ATTEMPTS + 1, null],
])('after %i attempts it waits %p seconds', (attempts, seconds) => {
  expect(retryAfter(attempts)).toBe(seconds);
});

it('is tried over some two days', () => {
  const waits = Array.from({ length: ATTEMPTS - 1 }, (_, n) => retryAfter(n + 1) ?? 0);
  const days = waits.reduce((sum, wait) => sum + wait, 0) / 86_400;
  expect([days > 1, days < 3]).toEqual([true, true]);
});
