import { MEMBERSHIP_PLAN_TYPES } from '@lyceum/contracts';
import {
  MAX_PRICES,
  PLAN_STATES,
  lostPrices,
  moveOf,
  pricesAfter,
  requireEditable,
  requireForSale,
  requireOneCurrency,
  requireRules,
  requireSalesKept,
  requireUnordered,
  slugOf,
} from './membership-plan.policy.js';
import type { GivenPrice, PlanPrice, PlanRules, PlanType } from './membership-plan.policy.js';

const ONCE = { interval: null, interval_count: 1, price: { amount_minor: 100, currency: 'TWD' }, trial_days: 0 };
const MONTHLY = { ...ONCE, interval: 'month' } as const;
const priceOf = (id: string, more: Partial<PlanPrice> = {}): PlanPrice => ({ id, ...ONCE, active: true, ...more });
const given = (more: Partial<GivenPrice> = {}): GivenPrice => ({ ...ONCE, active: true, ...more });

const NO_TERMS = { access_days: null, access_ends_at: null };
const TERMS = {
  recurring: {},
  fixed_date: { access_ends_at: new Date('2027-01-01T00:00:00Z') },
  specific_length: { access_days: 30 },
  lifetime: {},
} as const;
const planOf = (plan_type: PlanType, more: Partial<PlanRules> = {}): PlanRules => ({
  plan_type,
  state: 'draft',
  prices: [priceOf('a', plan_type === 'recurring' ? MONTHLY : ONCE)],
  ...NO_TERMS,
  ...TERMS[plan_type],
  ...more,
});

const refusal = (...pointers: string[]) =>
  expect.objectContaining({
    code: 'validation_failed',
    errors: pointers.map((pointer) => expect.objectContaining({ pointer })),
  });
const invalidState = expect.objectContaining({ code: 'invalid_state' });

it.each(MEMBERSHIP_PLAN_TYPES)('accepts a %s plan with the terms of its type', (plan_type) => {
  expect(() => requireRules(planOf(plan_type))).not.toThrow();
  expect(() => requireRules(planOf(plan_type, { prices: [] }))).not.toThrow();
});

it.each<[PlanType, Partial<PlanRules>, string]>([
  ['specific_length', { access_days: null }, '/access_days'],
  ['fixed_date', { access_ends_at: null }, '/access_ends_at'],
  ['lifetime', { access_days: 30 }, '/access_days'],
  ['recurring', { access_ends_at: new Date() }, '/access_ends_at'],
  ['recurring', { prices: [priceOf('a', MONTHLY), priceOf('b')] }, '/prices/1/interval'],
  ['lifetime', { prices: [priceOf('a', MONTHLY)] }, '/prices/0/interval'],
  ['lifetime', { prices: [priceOf('a', { interval_count: 2 })] }, '/prices/0/interval_count'],
  ['fixed_date', { prices: [priceOf('a', { trial_days: 1 })] }, '/prices/0/trial_days'],
  ['lifetime', { state: 'active', prices: [] }, '/prices'],
  ['lifetime', { state: 'active', prices: [priceOf('a', { active: false })] }, '/prices'],
])('refuses a %s plan with %j at %s', (plan_type, more, pointer) => {
  expect(() => requireRules(planOf(plan_type, more))).toThrow(refusal(pointer));
});

it('ignores the terms of withdrawn prices', () => {
  const prices = [priceOf('a'), priceOf('b', { ...MONTHLY, active: false })];
  expect(() => requireRules(planOf('lifetime', { state: 'active', prices }))).not.toThrow();
});

it.each([
  ['TWD', [], true],
  ['TWD', ['TWD'], true],
  ['TWD', ['EUR'], false],
  [null, ['EUR', 'EUR'], true],
  [null, ['EUR', 'TWD'], false],
])('decides about prices at a school with the currency %p: %p', (school, currencies, accepted) => {
  const prices = currencies.map((currency) => priceOf(currency, { price: { amount_minor: 1, currency } }));
  const check = (): void => requireOneCurrency(prices, school);
  if (accepted) expect(check).not.toThrow();
  else expect(check).toThrow(refusal(`/prices/${prices.length - 1}/price/currency`));
});

describe('a list of prices', () => {
  const cheap = priceOf('cheap');
  const dear = priceOf('dear', { price: { amount_minor: 900, currency: 'TWD' } });
  const after = (state: PlanRules['state'], prices: PlanPrice[], list: GivenPrice[]) =>
    pricesAfter({ state, prices }, list, () => 'new');

  it('keeps the ids of prices while their terms change', () => {
    const price = { amount_minor: 50, currency: 'TWD' };
    expect(after('active', [cheap, dear], [given({ id: 'dear', price }), given({ id: 'cheap' })])).toEqual([
      { ...dear, price },
      cheap,
    ]);
  });

  it('takes the id of a known price with the same terms, or a new one', () => {
    expect(after('active', [cheap], [given(), given({ trial_days: 3 })])).toEqual([
      cheap,
      priceOf('new', { trial_days: 3 }),
    ]);
  });

  it('prefers an active price among known ones with the same terms', () => {
    const withdrawn = priceOf('withdrawn', { active: false });
    expect(after('active', [withdrawn, cheap], [given()])).toEqual([cheap, withdrawn]);
    expect(after('active', [withdrawn], [given()])).toEqual([{ ...withdrawn, active: true }]);
  });

  it('withdraws prices that the list leaves out, and removes them from a draft', () => {
    expect(after('active', [cheap, dear], [given()])).toEqual([cheap, { ...dear, active: false }]);
    expect(after('draft', [cheap, dear], [given()])).toEqual([cheap]);
  });

  it.each<[string, GivenPrice[], string[]]>([
    ['an unknown id', [given(), given({ id: 'other' })], ['/prices/1/id']],
    ['a repeated id', [given({ id: 'cheap' }), given({ id: 'cheap' })], ['/prices/1/id']],
    ['equal active prices', [given(), given()], ['/prices/1']],
  ])('refuses %s', (_what, list, pointers) => {
    expect(() => after('active', [cheap], list)).toThrow(refusal(...pointers));
  });

  it('accepts equal prices when one of them is withdrawn', () => {
    expect(after('active', [], [given(), given({ active: false })])).toHaveLength(2);
  });

  it('accepts prices up to their limit, withdrawn ones included', () => {
    const list = (count: number) => Array.from({ length: count }, (_none, days) => given({ trial_days: days + 1 }));
    expect(after('active', [cheap], list(MAX_PRICES - 1))).toHaveLength(MAX_PRICES);
    expect(() => after('active', [cheap], list(MAX_PRICES))).toThrow(refusal('/prices'));
  });
});

describe('a move', () => {
  const MOVES = new Map<string, string | undefined>([
    ['draft activate', 'active'],
    ['active activate', undefined],
    ['active archive', 'archived'],
    ['archived archive', undefined],
  ]);
  it.each(PLAN_STATES.flatMap((state) => (['activate', 'archive'] as const).map((name) => [state, name] as const)))(
    'leads from %s by %s only where the states allow it',
    (state, name) => {
      const plan = planOf('lifetime', { state });
      const move = `${state} ${name}`;
      if (MOVES.has(move)) expect(moveOf(plan, name)?.to).toBe(MOVES.get(move));
      else expect(() => moveOf(plan, name)).toThrow(invalidState);
    },
  );

  it.each([[[]], [[priceOf('a', { active: false })]]])('activates no plan with the prices %j', (prices) => {
    expect(() => moveOf(planOf('lifetime', { prices }), 'activate')).toThrow(invalidState);
  });
});

it('refuses to change an archived plan', () => {
  expect(() => requireEditable({ state: 'active' })).not.toThrow();
  expect(() => requireEditable({ state: 'archived' })).toThrow(invalidState);
});

it.each([
  [0, { plan_type: 'lifetime' as const }, undefined],
  [1, { plan_type: 'lifetime' as const }, invalidState],
  [3, { quantity: 3 }, undefined],
  [3, { quantity: null }, undefined],
  [3, { quantity: 2 }, refusal('/quantity')],
])('decides about a plan that was sold %i times and gets %j', (sold_count, changes, refused) => {
  const check = (): void => requireSalesKept({ sold_count }, changes);
  if (refused === undefined) expect(check).not.toThrow();
  else expect(check).toThrow(refused);
});

it.each([
  ['All courses', 'all-courses'],
  ['  Crème brûlée & Co. 2 ', 'creme-brulee-co-2'],
  ['課程 Basic', 'basic'],
  [`${'x'.repeat(99)} yz`, 'x'.repeat(99)],
  ['x'.repeat(200), 'x'.repeat(100)],
])('makes of the name %p the slug %p', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

it('refuses to make a slug of a name without Latin letters and digits', () => {
  expect(() => slugOf('全部課程')).toThrow(refusal('/slug'));
});

it.each([
  ['active', true, true],
  ['active', false, false],
  ['draft', true, false],
  ['archived', true, false],
] as const)('sells by a plan that is %s a price whose activity is %p: %p', (state, active, sold) => {
  const check = (): void => requireForSale({ state, price: { active } }, false);
  if (sold) expect(check).not.toThrow();
  else {
    expect(check).toThrow(
      expect.objectContaining({ code: 'invalid_state', errors: [expect.objectContaining({ code: 'not_for_sale' })] }),
    );
  }
});

it.each([
  ['active', false, true],
  ['archived', true, true],
  ['draft', true, false],
] as const)('sells to a pending order by a plan that is %s a price whose activity is %p: %p', (state, active, sold) => {
  const check = (): void => requireForSale({ state, price: { active } }, true);
  if (sold) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code: 'invalid_state' }));
});

it.each<[string, Partial<PlanPrice>, readonly string[]]>([
  ['keeps a withdrawn price', { active: false }, []],
  ['loses a price with another amount', { price: { amount_minor: 101, currency: 'TWD' } }, ['a']],
  ['loses a price with another currency', { price: { amount_minor: 100, currency: 'USD' } }, ['a']],
  ['loses a price with another interval', { interval: 'week' }, ['a']],
  ['loses a price with another count of intervals', { interval_count: 2 }, ['a']],
  ['loses a price with another trial', { trial_days: 1 }, ['a']],
  ['loses a price that another one replaces', { id: 'b' }, ['a']],
])('%s', (_what, change, lost) => {
  expect(lostPrices([priceOf('a')], [priceOf('a', change), priceOf('c')])).toEqual(lost);
});

it('refuses to lose prices that pending orders name', () => {
  expect(() => requireUnordered([])).not.toThrow();
  expect(() => requireUnordered(['a'])).toThrow(expect.objectContaining({ code: 'resource_in_use' }));
});
