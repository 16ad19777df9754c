import { canceled, extended, refunded, renewed, resumed, shortened } from './subscription.policy.js';
import { standingAt } from './standing.policy.js';
import type { Billing, Standing } from './standing.policy.js';
import { subscribed } from '../../test/subscribed.js';

const BILLING: Billing = { time_zone: 'UTC', grace_days: 7 };
const at = (day: string): Date => new Date(`${day}T12:00:00.000Z`);
const NOW = at('2027-06-01');
const [END, GRACE] = [at('2027-06-10'), at('2027-06-17')];
const code = (name: string) => expect.objectContaining({ code: name });
const LIFETIME = {
  plan_type: 'lifetime',
  billing_interval: null,
  anchor_at: null,
  current_period_end: null,
  live_until: null,
} as const;
const ENDED: Partial<Standing> = { state: 'canceled', ended_at: at('2027-05-20'), live_until: null };

describe('a payment', () => {
  const pay = (row: Standing, day: string, paid = true) => renewed(row, { paid, at: at(day) }, BILLING);

  it.each([
    ['before the end', '2027-06-09'],
    ['within the grace', '2027-06-15'],
  ])('continues from the previous end when it comes %s', (_when, day) => {
    expect(pay(subscribed(), day)).toMatchObject({
      state: 'active',
      current_period_start: END,
      current_period_end: at('2027-07-10'),
      live_until: at('2027-07-17'),
      changes_at: at('2027-07-10'),
      period_number: 2,
    });
  });

  it.each([
    ['expired', subscribed(), '2027-06-16'],
    ['canceled', subscribed({ cancel_at_period_end: true, live_until: END }), '2027-06-09'],
  ] as const)('continues a subscription that has %s by time before the payment was recorded', (state, row, day) => {
    const written = standingAt(row, at('2027-06-20'));
    expect(written.state).toBe(state);
    expect(pay(written, day)).toMatchObject({
      state: 'active',
      ended_at: null,
      current_period_start: END,
      current_period_end: at('2027-07-10'),
      cancel_at_period_end: row.cancel_at_period_end,
    });
    expect(() => pay(written, '2027-06-17')).toThrow(code('invalid_state'));
  });

  it('refuses a subscription that a refund ended', () => {
    const row = subscribed({ period_number: 2, current_period_end: at('2027-07-10'), live_until: at('2027-07-17') });
    const ended = shortened(row, BILLING, at('2027-06-20'));
    expect(() => pay(ended ?? row, '2027-06-12')).toThrow(code('invalid_state'));
  });

  it('keeps the day of the month over a shorter one', () => {
    const january = subscribed({
      anchor_at: at('2027-01-31'),
      current_period_end: at('2027-02-28'),
      live_until: at('2027-03-07'),
    });
    expect(pay(january, '2027-02-28')).toMatchObject({ current_period_end: at('2027-03-31') });
  });

  it('activates a trial from its end, and a subscription that waits from the payment', () => {
    const trial = subscribed({ state: 'trialing', trial_ends_at: END, anchor_at: END, period_number: 0 });
    expect(pay(trial, '2027-06-10')).toMatchObject({
      state: 'active',
      state_since: at('2027-06-10'),
      trial_ends_at: END,
      current_period_end: at('2027-07-10'),
    });
    const waiting = subscribed({
      ...LIFETIME,
      plan_type: 'recurring',
      billing_interval: 'month',
      state: 'incomplete',
      started_at: null,
      period_number: 0,
    });
    expect(pay(waiting, '2027-06-05')).toMatchObject({
      state: 'active',
      started_at: at('2027-06-05'),
      current_period_end: at('2027-07-05'),
    });
  });

  it('makes a subscription past due when it fails, and keeps its grace', () => {
    expect(pay(subscribed(), '2027-06-08', false)).toMatchObject({
      state: 'past_due',
      state_since: at('2027-06-08'),
      current_period_end: END,
      live_until: GRACE,
      changes_at: GRACE,
    });
    expect(pay(subscribed({ state: 'past_due' }), '2027-06-12', false)).toBeUndefined();
    expect(pay(subscribed({ state: 'incomplete' }), '2027-06-12', false)).toBeUndefined();
  });

  it.each([
    ['was ended', subscribed(ENDED), '2027-06-01'],
    ['has expired without the clock', subscribed(), '2027-06-17'],
  ])('leaves a subscription that %s as it is when it fails', (_what, row, day) => {
    expect(pay(row, day, false)).toBeUndefined();
  });

  it('keeps a cancellation at the end of the period', () => {
    const row = subscribed({ cancel_at_period_end: true, live_until: END });
    expect(pay(row, '2027-06-09')).toMatchObject({ cancel_at_period_end: true, live_until: at('2027-07-10') });
  });

  it.each([
    ['has ended', subscribed(ENDED), '2027-06-01'],
    ['has expired without the clock', subscribed(), '2027-06-17'],
    ['is for life', subscribed(LIFETIME), '2027-06-01'],
  ])('refuses a subscription that %s', (_what, row, day) => {
    expect(() => pay(row, day)).toThrow(code('invalid_state'));
  });
});

describe('a refund of a renewal', () => {
  it('takes one period back', () => {
    const row = subscribed({ period_number: 3, current_period_end: at('2027-08-10'), live_until: at('2027-08-17') });
    expect(shortened(row, BILLING, NOW)).toMatchObject({
      state: 'active',
      current_period_start: END,
      current_period_end: at('2027-07-10'),
      live_until: at('2027-07-17'),
    });
  });

  it('leads back to the trial, or to the end of access when the period before is over', () => {
    const trial = { trial_ends_at: END, anchor_at: END };
    expect(shortened(subscribed({ ...trial, current_period_end: at('2027-07-10') }), BILLING, NOW)).toMatchObject({
      state: 'trialing',
      current_period_start: at('2027-05-10'),
      current_period_end: END,
    });
    const row = subscribed({ period_number: 2, current_period_end: at('2027-07-10'), live_until: at('2027-07-17') });
    expect(shortened(row, BILLING, at('2027-06-12'))).toMatchObject({ state: 'past_due', live_until: GRACE });
    expect(shortened(row, BILLING, at('2027-06-20'))).toMatchObject({ state: 'expired', ended_at: GRACE });
    expect(shortened(subscribed(ENDED), BILLING, NOW)).toBeUndefined();
  });
});

describe('a refund of one of several orders', () => {
  const others = (paid: number, later = 0, begun = true) => ({ paid, later, begun });
  // Three periods were paid: until June 10, July 10 and August 10.
  const row = subscribed({
    period_number: 3,
    current_period_start: at('2027-07-10'),
    current_period_end: at('2027-08-10'),
    live_until: at('2027-08-17'),
  });
  const trial = subscribed({ trial_ends_at: END, anchor_at: END, current_period_end: at('2027-07-10') });

  it.each([
    ['the first in its period', 'sale', others(2, 2), at('2027-06-01')],
    ['the second in its period', 'renewal', others(2, 1), at('2027-07-01')],
    ['the second before its period', 'renewal', others(2, 1), at('2027-06-01')],
    ['the last', 'renewal', others(2), at('2027-07-05')],
  ] as const)('takes one period back for %s', (_what, kind, other, now) => {
    expect(refunded(row, kind, other, BILLING, now)).toMatchObject({
      state: 'active',
      current_period_end: at('2027-07-10'),
      live_until: at('2027-07-17'),
    });
  });

  it.each([
    ['the first after its period', row, 'sale', others(2, 2), END],
    ['the second after its period', row, 'renewal', others(2, 1), at('2027-07-10')],
    ['a sale that gave a trial', trial, 'sale', others(1, 1), NOW],
    ['an ended subscription', subscribed(ENDED), 'sale', others(0), NOW],
  ] as const)('keeps what the other orders paid after a refund of %s', (_what, known, kind, other, now) => {
    expect(refunded(known, kind, other, BILLING, now)).toBeUndefined();
  });

  it.each([
    ['sale', others(0)],
    ['start', others(0)],
    ['renewal', others(0)],
  ] as const)('ends the subscription with the refund of a %s that was the last payment', (kind, other) => {
    expect(refunded(row, kind, other, BILLING, NOW)).toMatchObject({ state: 'canceled', ended_at: NOW });
  });

  it.each([
    ['expired', row],
    ['canceled', { ...row, cancel_at_period_end: true, live_until: row.current_period_end }],
  ] as const)('refuses a late payment after the refund of the last one: the subscription has %s', (state, known) => {
    const next = refunded(known, 'sale', others(0), BILLING, at('2027-08-20')) ?? known;
    expect(next).toMatchObject({ state, ended_at: known.live_until, live_until: null });
    expect(() => renewed(next, { paid: true, at: at('2027-08-09') }, BILLING)).toThrow(code('invalid_state'));
    expect(refunded(next, 'sale', others(0), BILLING, at('2027-08-20'))).toBeUndefined();
  });

  it('leads a subscription that no order began back to the period before', () => {
    const next = refunded(row, 'renewal', others(0, 0, false), BILLING, NOW);
    expect(next).toMatchObject({ state: 'active', current_period_end: at('2027-07-10') });
  });
});

describe('another end of the period', () => {
  it('moves the grace and the next periods', () => {
    expect(extended(subscribed(), at('2027-06-25'), BILLING, NOW)).toMatchObject({
      current_period_end: at('2027-06-25'),
      live_until: at('2027-07-02'),
      anchor_at: at('2027-06-25'),
      period_number: 0,
    });
  });

  it('activates a subscription that is past due, and moves the end of a trial', () => {
    expect(extended(subscribed(), at('2027-06-25'), BILLING, at('2027-06-12'))).toMatchObject({ state: 'active' });
    const trial = subscribed({ state: 'trialing', trial_ends_at: END });
    expect(extended(trial, GRACE, BILLING, NOW)).toMatchObject({ state: 'trialing', trial_ends_at: GRACE });
  });

  it.each([
    ['the past', subscribed(), NOW, 'validation_failed'],
    ['an ended subscription', subscribed(ENDED), GRACE, 'invalid_state'],
    ['one for life', subscribed(LIFETIME), GRACE, 'invalid_state'],
    ['one that waits', subscribed({ state: 'incomplete' }), GRACE, 'invalid_state'],
  ] as const)('refuses %s', (_what, row, end, error) => {
    expect(() => extended(row, end, BILLING, NOW)).toThrow(code(error));
  });
});

describe('a cancellation', () => {
  const later = { at_period_end: true, reason: 'Moves' };
  const now = { at_period_end: false, reason: null };

  it('ends the access with the period, without grace', () => {
    expect(canceled(subscribed(), later, BILLING, NOW)).toMatchObject({
      state: 'active',
      cancel_at_period_end: true,
      cancel_reason: 'Moves',
      live_until: END,
      changes_at: END,
    });
  });

  it.each([
    ['now', subscribed(), now, NOW],
    ['now for life', subscribed(LIFETIME), now, NOW],
    ['at the end of a period that is over', subscribed(), later, at('2027-06-12')],
    ['of a subscription that waits', subscribed({ state: 'incomplete' }), later, NOW],
  ])('ends a subscription %s', (_when, row, how, instant) => {
    expect(canceled(row, how, BILLING, instant)).toMatchObject({
      state: 'canceled',
      ended_at: instant,
      live_until: null,
      changes_at: null,
    });
  });

  it('changes nothing a second time, and ends a scheduled one now', () => {
    const scheduled = subscribed({ cancel_at_period_end: true, cancel_reason: 'Moves', live_until: END });
    expect(canceled(scheduled, later, BILLING, NOW)).toBeUndefined();
    expect(canceled(scheduled, now, BILLING, NOW)).toMatchObject({ state: 'canceled', cancel_reason: 'Moves' });
    expect(canceled(subscribed(ENDED), now, BILLING, NOW)).toBeUndefined();
  });

  it('refuses a cancellation at the end of a life, and after the end', () => {
    expect(() => canceled(subscribed(LIFETIME), later, BILLING, NOW)).toThrow(code('invalid_state'));
    expect(() => canceled(subscribed(), now, BILLING, GRACE)).toThrow(code('invalid_state'));
  });

  it('allows undoing it until the end of the period', () => {
    const scheduled = subscribed({ cancel_at_period_end: true, cancel_reason: 'Moves', live_until: END });
    expect(resumed(scheduled, BILLING, NOW)).toMatchObject({
      cancel_at_period_end: false,
      cancel_reason: null,
      live_until: GRACE,
    });
    expect(resumed(subscribed(), BILLING, NOW)).toBeUndefined();
    expect(() => resumed(scheduled, BILLING, END)).toThrow(code('invalid_state'));
  });
});
