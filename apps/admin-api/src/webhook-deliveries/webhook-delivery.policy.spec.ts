import { DELIVERY_LIMITS, askedPause, disablesFor, hasSucceeded, pauseAfter } from './webhook-delivery.policy.js';

it('retries after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
  const pauses = Array.from({ length: 10 }, (_pause, made) => pauseAfter(made + 1, null, 0));
  expect(pauses).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
});

it('adds at most a fifth of the pause by chance', () => {
  expect([0, 0.5, 1].map((chance) => pauseAfter(1, null, chance))).toEqual([5, 5.5, 6]);
  const pauses = Array.from({ length: 100 }, () => pauseAfter(2, null) ?? 0);
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(300);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(360);
  expect(new Set(pauses).size).toBeGreaterThan(50);
});

it.each([
  [1, 4, 5],
  [1, 6, 6],
  [3, 600, 1_800],
  [10, 600, null],
])('waits after attempt %p, whose response asks for %p s, for %p s', (attempts, asked, pause) => {
  expect(pauseAfter(attempts, asked, 0)).toBe(pause);
});

describe('Retry-After', () => {
  const now = new Date('2026-11-20T08:00:00Z');

  it.each([
    [429, '120', 120],
    [503, ' 120 ', 120],
    [429, '3599', 3_599],
    [429, '3600', 3_600],
    [429, '3601', 3_600],
    [429, '9'.repeat(400), 3_600],
    [503, 'Fri, 20 Nov 2026 08:02:00 GMT', 120],
    [503, 'Fri, 20 Nov 2026 09:00:00 GMT', 3_600],
    [503, 'Fri, 20 Nov 2026 09:00:01 GMT', 3_600],
    [503, 'Fri, 20 Nov 2026 08:00:00 GMT', null],
    [503, 'Fri, 20 Nov 2026 07:59:59 GMT', null],
    [429, '0', null],
    [429, '-5', null],
    [429, '1.5', null],
    [429, 'soon GMT', null],
    [429, undefined, null],
    [500, '120', null],
    [204, '120', null],
  ])('reads from the status %p and the value %p a pause of %p s', (status, value, asked) => {
    expect(askedPause(status, value, now)).toBe(asked);
  });
});

it.each([
  [200, true],
  [299, true],
  [300, false],
  [307, false],
  [410, false],
  [500, false],
  [null, false],
])('counts the status %p as a success: %p', (status, succeeded) => {
  expect(hasSucceeded({ status })).toBe(succeeded);
});

const NOW = new Date('2026-12-06T00:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

it.each([
  ['a 410 among successes', [200, 410], null, 'gone'],
  ['five days without a success', [500, null], ago(DELIVERY_LIMITS.failingMs), 'failing'],
  ['almost five days', [500], ago(DELIVERY_LIMITS.failingMs - 1), undefined],
  ['a success after five days', [500, 204], ago(DELIVERY_LIMITS.failingMs), undefined],
  ['a first failure', [500], null, undefined],
  ['no attempt', [], ago(DELIVERY_LIMITS.failingMs), undefined],
] as const)('disables an endpoint or not: %s', (_name, statuses, since, reason) => {
  expect(
    disablesFor(
      statuses.map((status) => ({ status })),
      since,
      NOW,
    ),
  ).toBe(reason);
});

it('leases an endpoint for longer than a turn takes, whose last attempt may start at its end', () => {
  const { leaseSeconds, turnMs, attemptMs } = DELIVERY_LIMITS;
  expect(leaseSeconds * 1_000).toBeGreaterThan(2 * (turnMs + attemptMs));
});
