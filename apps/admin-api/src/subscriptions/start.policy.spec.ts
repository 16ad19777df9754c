import { sold, startedByHand } from './start.policy.js';
import type { Billing, Terms } from './standing.policy.js';

const NOW = new Date('2027-05-10T12:00:00.000Z');
const BILLING: Billing = { time_zone: 'UTC', grace_days: 7 };
const at = (day: string): Date => new Date(`${day}T12:00:00.000Z`);

function terms(plan_type: Terms['plan_type'], more: Partial<Terms> & { readonly trial_days?: number } = {}): Terms {
  const { trial_days = 0, ...rest } = more;
  const interval = plan_type === 'recurring' ? 'month' : null;
  return {
    plan_type,
    access_days: null,
    access_ends_at: null,
    ends_at: null,
    price: { interval, interval_count: 1, trial_days },
    ...rest,
  };
}
const MONTHLY = terms('recurring');
const fault = (code: string, ...pointers: readonly string[]) =>
  expect.objectContaining({ code, errors: pointers.map((pointer) => expect.objectContaining({ pointer })) });

describe('a sale', () => {
  it.each([
    ['a month', MONTHLY, 'active', at('2027-06-10'), at('2027-06-17')],
    ['a trial first', terms('recurring', { trial_days: 14 }), 'trialing', at('2027-05-24'), at('2027-05-31')],
    ['days', terms('specific_length', { access_days: 30 }), 'active', at('2027-06-09'), at('2027-06-09')],
    [
      'the time to a date',
      terms('fixed_date', { access_ends_at: at('2027-07-01') }),
      'active',
      at('2027-07-01'),
      at('2027-07-01'),
    ],
    ['a life', terms('lifetime'), 'active', null, null],
  ] as const)(
    'begins %s, with grace where a renewal may come',
    (_what, plan, state, current_period_end, live_until) => {
      expect(sold(plan, { at: NOW }, BILLING)).toMatchObject({
        state,
        started_at: NOW,
        current_period_start: NOW,
        current_period_end,
        live_until,
        changes_at: current_period_end,
        trial_ends_at: state === 'trialing' ? current_period_end : null,
      });
    },
  );

  it.each([
    ['access', terms('fixed_date', { access_ends_at: at('2027-05-01') })],
    ['sale', terms('recurring', { ends_at: NOW })],
  ])('refuses a plan whose %s is over', (_what, plan) => {
    for (const ordered_at of [undefined, NOW]) {
      expect(() => sold(plan, { at: NOW, ordered_at }, BILLING)).toThrow(fault('invalid_state', '/item_id'));
    }
  });

  it('begins a plan whose sale ended between the order and its payment, or between the payment and its record', () => {
    const plan = terms('recurring', { ends_at: NOW });
    for (const [at_, ordered_at] of [
      [NOW, at('2027-05-09')],
      [at('2027-05-09'), NOW],
    ] as const) {
      expect(sold(plan, { at: at_, ordered_at }, BILLING)).toMatchObject({ state: 'active', started_at: at_ });
    }
  });
});

describe('a start by an operator', () => {
  it('continues the periods of a subscription that began before', () => {
    const started_at = new Date('2027-01-31T09:00:00.000Z');
    expect(startedByHand(MONTHLY, { state: 'active', started_at }, BILLING, NOW)).toMatchObject({
      state: 'active',
      started_at,
      current_period_start: new Date('2027-04-30T09:00:00.000Z'),
      current_period_end: new Date('2027-05-31T09:00:00.000Z'),
      anchor_at: started_at,
      period_number: 4,
    });
  });

  it('counts further periods from a given end', () => {
    const start = { state: 'active', current_period_end: at('2027-05-20') } as const;
    expect(startedByHand(MONTHLY, start, BILLING, NOW)).toMatchObject({
      current_period_start: NOW,
      current_period_end: at('2027-05-20'),
      anchor_at: at('2027-05-20'),
      period_number: 0,
    });
  });

  it('waits for its first payment, or begins with a trial', () => {
    expect(startedByHand(MONTHLY, { state: 'incomplete' }, BILLING, NOW)).toMatchObject({
      state: 'incomplete',
      started_at: null,
      current_period_end: null,
      live_until: null,
      changes_at: null,
    });
    const trialing = { state: 'trialing', current_period_end: at('2027-05-12') } as const;
    expect(startedByHand(MONTHLY, trialing, BILLING, NOW)).toMatchObject({
      state: 'trialing',
      trial_ends_at: at('2027-05-12'),
      live_until: at('2027-05-19'),
    });
  });

  it.each([
    ['a trial without an end', MONTHLY, { state: 'trialing' }, '/current_period_end'],
    ['a trial of a plan that is paid once', terms('lifetime', { trial_days: 3 }), { state: 'trialing' }, '/state'],
    ['a plan for life that waits', terms('lifetime'), { state: 'incomplete' }, '/state'],
    ['a beginning in the future', MONTHLY, { state: 'active', started_at: at('2027-05-11') }, '/started_at'],
    ['a beginning before 1970', MONTHLY, { state: 'active', started_at: at('1969-12-31') }, '/started_at'],
    ['a beginning of what waits', MONTHLY, { state: 'incomplete', started_at: NOW }, '/started_at'],
    [
      'an end of what waits',
      MONTHLY,
      { state: 'incomplete', current_period_end: at('2027-06-01') },
      '/current_period_end',
    ],
    [
      'an end of a life',
      terms('lifetime'),
      { state: 'active', current_period_end: at('2027-06-01') },
      '/current_period_end',
    ],
    ['an end that is over', MONTHLY, { state: 'active', current_period_end: NOW }, '/current_period_end'],
    [
      'a plan that is over',
      terms('fixed_date', { access_ends_at: at('2027-05-01') }),
      { state: 'active' },
      '/price_id',
    ],
    [
      'days that are over',
      terms('specific_length', { access_days: 9 }),
      { state: 'active', started_at: at('2027-05-01') },
      '/started_at',
    ],
  ] as const)('refuses %s', (_what, plan, start, pointer) => {
    expect(() => startedByHand(plan, start, BILLING, NOW)).toThrow(fault('validation_failed', pointer));
  });
});
