import { subscriptionNotices } from './subscription-change.policy.js';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const TODAY = '2026-11-20T11:00:00.000Z';
const LONG_AGO = '2026-10-01T00:00:00.000Z';

const changes = (
  name: string,
  state: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'canceled' | 'expired',
  state_since = TODAY,
  occurred_at = TODAY,
): string[] =>
  subscriptionNotices({ name, version: '1:2', occurred_at }, { state, state_since }, NOW).map(({ change }) => change);

it.each(['active', 'past_due', 'canceled', 'expired', 'trialing'] as const)(
  'notifies of a subscription that is %s now, and not of an old state',
  (state) => {
    expect(changes('updated', state)).toEqual([state]);
    expect(changes('updated', state, LONG_AGO)).toEqual([]);
  },
);

it.each([
  ['renewed', 'renewed'],
  ['cancellation_scheduled', 'ending'],
  ['resumed', 'resumed'],
])('notifies of a subscription that keeps its state and is %s', (name, change) => {
  expect(changes(name, 'active', LONG_AGO)).toEqual([change]);
  expect(changes(name, 'active', LONG_AGO, LONG_AGO)).toEqual([]);
});

it('notifies once of a renewal that ends a delay, and of a new subscription that will end', () => {
  expect(changes('renewed', 'active')).toEqual(['active']);
  expect(changes('cancellation_scheduled', 'active')).toEqual(['active', 'ending']);
});

it('notifies of no subscription that waits for its first payment', () => {
  expect(changes('created', 'incomplete')).toEqual([]);
});

it('distinguishes states by their time, and other changes by the version', () => {
  const event = { name: 'resumed', version: '1:2', occurred_at: TODAY };
  expect(subscriptionNotices(event, { state: 'active', state_since: TODAY }, NOW).map(({ key }) => key)).toEqual([
    `active:${TODAY}`,
    'resumed:1:2',
  ]);
});
