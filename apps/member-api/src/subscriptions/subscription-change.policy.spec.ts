import { subscriptionNotices } from './subscription-change.policy.js';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const TODAY = '2026-11-20T11:00:00.000Z';
const LONG_AGO = '2026-10-01T00:00:00.000Z';

type State = 'incomplete' | 'trialing' | 'active' | 'past_due' | 'canceled' | 'expired';

const changes = (name: string, state: State, state_since = TODAY, occurred_at = TODAY, before?: State): string[] => {
  const known = before && { state: before };
  const notices = subscriptionNotices({ name, version: '1:2', occurred_at }, known, { state, state_since }, NOW);
  return notices.map(({ change }) => change);
};

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

it.each([
  ['renewed', 'active', ['renewed']],
  ['renewed', 'past_due', ['active']],
  ['updated', 'active', []],
  ['updated', 'trialing', ['active']],
  ['cancellation_scheduled', 'active', ['ending']],
] as const)('compares the state of an active subscription that is %s with %s before it', (name, before, expected) => {
  expect(changes(name, 'active', TODAY, TODAY, before)).toEqual(expected);
});

it('notifies of no subscription that waits for its first payment', () => {
  expect(changes('created', 'incomplete')).toEqual([]);
});

it('distinguishes states by their time, and other changes by the version', () => {
  const event = { name: 'resumed', version: '1:2', occurred_at: TODAY };
  const notices = subscriptionNotices(event, undefined, { state: 'active', state_since: TODAY }, NOW);
  expect(notices.map(({ key }) => key)).toEqual([`active:${TODAY}`, 'resumed:1:2']);
});
