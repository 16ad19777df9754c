import { changesOf, nextChargeOf, settled, standingAt } from './standing.policy.js';
import type { Standing } from './standing.policy.js';
import { subscribed } from '../../test/subscribed.js';

const at = (day: string): Date => new Date(`${day}T12:00:00.000Z`);
const END = at('2027-06-10');
const GRACE = at('2027-06-17');
const MONTHLY = subscribed({ current_period_end: END, live_until: GRACE });

it.each<[string, Partial<Standing>, Date, Standing['state'], Date | null]>([
  ['a period', {}, at('2027-06-09'), 'active', null],
  ['a period that is over', {}, END, 'past_due', null],
  ['a trial that is over', { state: 'trialing' }, END, 'past_due', null],
  ['the days of grace', {}, GRACE, 'expired', GRACE],
  ['a failed payment', { state: 'past_due' }, at('2027-06-01'), 'past_due', null],
  ['a failed payment after the grace', { state: 'past_due' }, GRACE, 'expired', GRACE],
  ['a cancellation', { cancel_at_period_end: true, live_until: END }, END, 'canceled', END],
  ['a period without grace', { live_until: END }, END, 'expired', END],
  ['a life', { current_period_end: null, live_until: null }, at('2099-01-01'), 'active', null],
  ['an end', { state: 'canceled', ended_at: at('2027-06-01') }, GRACE, 'canceled', at('2027-06-01')],
  ['a wait', { state: 'incomplete', current_period_end: null, live_until: null }, GRACE, 'incomplete', null],
])('shows %s', (_what, members, now, state, ended_at) => {
  expect(standingAt({ ...MONTHLY, ...members }, now)).toMatchObject({ state, ended_at });
});

it('dates a state by the instant at which it began', () => {
  expect(standingAt(MONTHLY, at('2027-06-12'))).toMatchObject({ state_since: END, changes_at: GRACE });
  expect(standingAt(MONTHLY, at('2027-07-12'))).toMatchObject({ state_since: GRACE, changes_at: null });
});

it.each<[string, Partial<Standing>, Date | null]>([
  ['a recurring plan', {}, END],
  ['a canceled one', { cancel_at_period_end: true }, null],
  ['a plan that is paid once', { plan_type: 'specific_length' }, null],
  ['an end', { state: 'expired' }, null],
])('names the next payment of %s', (_what, members, charge) => {
  expect(nextChargeOf({ ...MONTHLY, ...members })).toEqual(charge);
});

it('shows no instant after the year 9999', () => {
  const last = new Date('9999-12-31T00:00:00.000Z');
  expect(settled({ ...MONTHLY, current_period_end: last }, { time_zone: 'UTC', grace_days: 60 }).live_until).toEqual(
    new Date('9999-12-31T23:59:59.999Z'),
  );
});

it('names the members that a decision changes', () => {
  const next = { ...MONTHLY, state: 'past_due' as const, current_period_end: new Date(END) };
  expect(changesOf(MONTHLY, next)).toEqual({ state: 'past_due' });
});
