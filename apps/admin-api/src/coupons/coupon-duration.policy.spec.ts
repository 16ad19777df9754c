import { durationRefusal, isContinued } from './coupon-duration.policy.js';
import type { Renewal } from './coupon-duration.policy.js';

const FIRST = new Date('2027-01-31T10:00:00.000Z');
/** A monthly subscription with paid periods, of which the coupon has reduced some. */
const renewal = (payments: number, reduced: number, more: Partial<Renewal> = {}): Renewal => ({
  interval: 'month',
  interval_count: 1,
  payments,
  time_zone: 'UTC',
  // The later ones were paid late, which changes no period.
  reduced: Array.from({ length: reduced }, (_one, index) => new Date(FIRST.getTime() + index * 33 * 86_400_000)),
  ...more,
});
const YEARLY = { interval: 'year' } as const;
const WEEKLY = { interval: 'week' } as const;

it.each([
  ['once', null, renewal(0, 0)],
  ['repeating', 3, renewal(5, 0)],
  ['repeating', 3, renewal(1, 1)],
  ['repeating', 3, renewal(2, 2)],
  ['repeating', 13, renewal(1, 1, YEARLY)],
  ['repeating', 1, renewal(3, 3, WEEKLY)],
  ['forever', null, renewal(100, 100)],
] as const)('reduces a renewal by a coupon that lasts %s, %p months: %j', (duration, duration_months, of) => {
  expect(durationRefusal({ duration, duration_months }, of)).toBeUndefined();
});

it.each([
  ['once', null, renewal(1, 1)],
  ['once', null, renewal(1, 0)],
  ['once', null, renewal(0, 1)],
  ['repeating', 3, renewal(3, 3)],
  ['repeating', 1, renewal(1, 1)],
  ['repeating', 12, renewal(1, 1, YEARLY)],
  ['repeating', 1, renewal(4, 4, WEEKLY)],
] as const)('reduces no renewal by a coupon that lasts %s, %p months: %j', (duration, duration_months, of) => {
  expect(durationRefusal({ duration, duration_months }, of)).toEqual(expect.any(String));
});

it('continues the coupon of a subscription, and begins another one', () => {
  expect([isContinued(undefined), isContinued(renewal(1, 0)), isContinued(renewal(1, 1))]).toEqual([
    false,
    false,
    true,
  ]);
});
