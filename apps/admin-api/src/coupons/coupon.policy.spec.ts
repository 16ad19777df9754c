import {
  changesOffer,
  currencyAfter,
  offeredTo,
  redemptionOf,
  requireEditable,
  requireSameRedemption,
  requireTerms,
  requireUnordered,
  stateAt,
} from './coupon.policy.js';
import type { PendingOrders, RedeemedOrder } from './coupon.policy.js';
import type { Discount, OrderLine } from './discount.policy.js';

const NOW = new Date('2026-12-01T10:00:00Z');
const [BEFORE, AFTER] = [new Date('2026-12-01T09:59:59Z'), new Date('2026-12-01T10:00:01Z')];

/** Changes that no order minds. */
const EDITS = { name: 'B', max_redemptions: 1 };

const COUPON = {
  active: true,
  starts_at: null as Date | null,
  expires_at: null as Date | null,
  redeemed_count: 0,
  max_redemptions: null as number | null,
  max_per_member: null as number | null,
  discount: { kind: 'percentage', percent: 10 } as Discount,
  applies_to: { item_types: [], ids: [] },
  min_order: null as { amount_minor: number; currency: string } | null,
  duration: 'once' as 'once' | 'repeating',
  duration_months: null as number | null,
};
const TWENTY_TWD: Discount = { kind: 'fixed_amount', amount: { amount_minor: 2_000, currency: 'TWD' } };

it.each([
  ['active', {}],
  ['active', { starts_at: NOW }],
  ['scheduled', { starts_at: AFTER }],
  ['active', { expires_at: AFTER }],
  ['expired', { expires_at: NOW }],
  ['expired', { expires_at: BEFORE, max_redemptions: 1, redeemed_count: 1 }],
  ['active', { max_redemptions: 2, redeemed_count: 1 }],
  ['exhausted', { max_redemptions: 2, redeemed_count: 2 }],
  ['exhausted', { max_redemptions: 2, redeemed_count: 2, starts_at: AFTER }],
  ['deactivated', { active: false, expires_at: BEFORE }],
  ['deactivated', { active: false, starts_at: AFTER }],
])('returns the state %s for %j', (state, use) => {
  expect(stateAt({ ...COUPON, ...use }, NOW)).toBe(state);
});

it.each([
  ['before the order', BEFORE, NOW, false],
  ['at the instant of the order', NOW, NOW, true],
  ['after the order', AFTER, NOW, true],
  ['before an order that was paid at once', AFTER, undefined, false],
])('says whether an order keeps a coupon that was deactivated %s', (_when, deactivated_at, ordered_at, active) => {
  const coupon = { ...COUPON, active: false, deactivated_at, updated_at: AFTER };
  expect(offeredTo(coupon, ordered_at)).toMatchObject({ active });
  // As the release before leaves it.
  expect(offeredTo({ ...coupon, deactivated_at: null, updated_at: deactivated_at }, ordered_at)).toMatchObject({
    active,
  });
});

it.each([
  [{ expires_at: NOW }, BEFORE, undefined],
  [{ expires_at: NOW }, NOW, 'coupon_expired'],
  [{ starts_at: NOW }, BEFORE, undefined],
  [{ max_redemptions: 1, redeemed_count: 1 }, BEFORE, 'coupon_exhausted'],
])('reduces with %j an order of %p that is paid now, or refuses with %p', (terms, ordered_at, code) => {
  const lines: OrderLine[] = [{ item_type: 'ticket', item_id: 'a', amount_minor: 1_000 }];
  const redeem = () => redemptionOf({ ...COUPON, ...terms }, { currency: 'TWD', lines, at: NOW, ordered_at }, 0);
  if (code === undefined) expect(redeem()).toEqual([100]);
  else expect(redeem).toThrow(expect.objectContaining({ errors: [expect.objectContaining({ code })] }));
});

describe('requireTerms', () => {
  it.each([
    ['a coupon without limits', {}, null],
    ['a repeating coupon', { duration: 'repeating' as const, duration_months: 3 }, null],
    ['a beginning before the end', { starts_at: BEFORE, expires_at: NOW }, null],
    ['the currency of the school', { discount: TWENTY_TWD, min_order: { amount_minor: 1, currency: 'TWD' } }, 'TWD'],
    ['any currency without one of the school', { discount: TWENTY_TWD }, null],
    ['as many redemptions as are used', { max_redemptions: 3, redeemed_count: 3 }, null],
  ])('accepts %s', (_name, terms, currency) => {
    expect(() => requireTerms({ ...COUPON, ...terms }, currency)).not.toThrow();
  });

  it.each([
    ['/duration_months', { duration: 'repeating' as const }, null],
    ['/duration_months', { duration_months: 3 }, null],
    ['/expires_at', { starts_at: NOW, expires_at: NOW }, null],
    ['/discount/amount/currency', { discount: TWENTY_TWD }, 'EUR'],
    ['/min_order/currency', { min_order: { amount_minor: 1, currency: 'TWD' } }, 'EUR'],
    ['/min_order/currency', { discount: TWENTY_TWD, min_order: { amount_minor: 1, currency: 'EUR' } }, null],
    ['/min_order', { min_order: { amount_minor: 1 } }, null],
    ['/min_order', { min_order: { currency: 'TWD' } }, 'TWD'],
  ])('refuses a wrong %s of %j', (pointer, terms, currency) => {
    const errors = [expect.objectContaining({ pointer })];
    const refusal = expect.objectContaining({ code: 'validation_failed', errors });
    expect(() => requireTerms({ ...COUPON, ...terms }, currency)).toThrow(refusal);
  });

  it('refuses a limit below the redemptions', () => {
    const terms = { ...COUPON, max_redemptions: 2, redeemed_count: 3 };
    expect(() => requireTerms(terms, null)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
  });
});

it.each([
  ['a percentage', COUPON.discount, {}, null],
  ['a percentage', COUPON.discount, { discount: { kind: 'percentage', percent: 20 } }, null],
  ['a percentage', COUPON.discount, { min_order: { amount_minor: 1 } }, 'EUR'],
  ['an amount', TWENTY_TWD, {}, null],
  ['an amount', TWENTY_TWD, { min_order: { amount_minor: 1 } }, null],
  ['an amount', TWENTY_TWD, { discount: TWENTY_TWD }, 'EUR'],
])('requires of a coupon of %s (%j) after the changes %j the currency %p of a school with EUR', (...given) => {
  const [, discount, changes, currency] = given;
  expect(currencyAfter({ discount }, changes, 'EUR')).toBe(currency);
});

describe('a change of a coupon, while pending orders have its code,', () => {
  const offer = {
    code: 'B',
    discount: TWENTY_TWD,
    duration: 'repeating',
    duration_months: 3,
    applies_to: {},
    min_order: null,
  };
  const none: PendingOrders = { exist: false, first: null, last: null };
  const others: PendingOrders = { ...none, exist: true };
  const two: PendingOrders = { exist: true, first: BEFORE, last: NOW };
  const refusal = (members: readonly string[]) =>
    expect.objectContaining({
      code: 'resource_in_use',
      errors: members.map((member) => expect.objectContaining({ pointer: `/${member}` })),
    });

  it('keeps each member that decides about a discount', () => {
    expect(() => requireUnordered(offer, none)).not.toThrow();
    expect(() => requireUnordered({ ...offer, ...EDITS }, others)).toThrow(refusal(Object.keys(offer)));
    for (const [member, value] of Object.entries(offer)) expect(changesOffer({ [member]: value })).toBe(true);
    expect(changesOffer(EDITS)).toBe(false);
  });

  it.each([
    [{ starts_at: BEFORE }, two, []],
    [{ starts_at: NOW }, two, ['starts_at']],
    [{ starts_at: NOW }, others, []],
    [{ expires_at: AFTER }, two, []],
    [{ expires_at: NOW }, two, ['expires_at']],
    [{ expires_at: NOW }, others, []],
    [{ starts_at: null, expires_at: null }, two, []],
    [{ starts_at: AFTER, expires_at: new Date(AFTER.getTime() + 1) }, two, ['starts_at']],
  ])('keeps orders within its times: %j of %j refuses %j', (changes, pending, members) => {
    expect(changesOffer(changes)).toBe(true);
    const check = () => requireUnordered(changes, pending);
    if (members.length === 0) expect(check).not.toThrow();
    else expect(check).toThrow(refusal(members));
  });
});

it('fixes code and discount with the first redemption', () => {
  const never = { first_redeemed_at: null };
  const once = { first_redeemed_at: NOW };
  for (const changes of [{ code: 'B' }, { discount: TWENTY_TWD }]) {
    expect(() => requireEditable(never, changes)).not.toThrow();
    expect(() => requireEditable(once, changes)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
  }
  expect(() => requireEditable(once, {})).not.toThrow();
});

describe('redemptionOf', () => {
  const plan = (amount_minor: number): OrderLine => ({ item_type: 'course_plan', item_id: 'plan', amount_minor });
  const order: RedeemedOrder = { currency: 'TWD', lines: [plan(10_000), plan(5_005)], at: NOW };

  it.each([
    ['a percentage', {}, 0, [1_000, 501]],
    ['a fixed amount', { discount: TWENTY_TWD }, 0, [1_333, 667]],
    ['the smallest order', { min_order: { amount_minor: 15_005, currency: 'TWD' } }, 0, [1_000, 501]],
    ['the last redemption', { max_redemptions: 3, redeemed_count: 2 }, 0, [1_000, 501]],
    ['the last redemption of a student', { max_per_member: 2 }, 1, [1_000, 501]],
  ])('returns the discounts of %s', (_name, terms, used, discounts) => {
    expect(redemptionOf({ ...COUPON, ...terms }, order, used)).toEqual(discounts);
  });

  it.each([
    ['coupon_inactive', { active: false }, {}, 0],
    ['coupon_inactive', { starts_at: AFTER }, {}, 0],
    ['coupon_expired', { expires_at: NOW }, {}, 0],
    ['coupon_exhausted', { max_redemptions: 1, redeemed_count: 1 }, {}, 0],
    ['coupon_limit_reached', { max_per_member: 2 }, {}, 2],
    ['coupon_min_order', { min_order: { amount_minor: 15_006, currency: 'TWD' } }, {}, 0],
    ['coupon_not_applicable', { min_order: { amount_minor: 1, currency: 'EUR' } }, {}, 0],
    ['coupon_not_applicable', { discount: TWENTY_TWD }, { currency: 'EUR' }, 0],
    ['coupon_not_applicable', { applies_to: { item_types: ['ticket' as const], ids: [] } }, {}, 0],
    ['coupon_not_applicable', {}, { lines: [plan(0)] }, 0],
    ['coupon_not_applicable', {}, { lines: [] }, 0],
  ])('refuses with %s a coupon with %j for an order with %j', (code, terms, changed, used) => {
    const refusal = expect.objectContaining({
      code: 'invalid_state',
      errors: [expect.objectContaining({ pointer: '/code', code })],
    });
    expect(() => redemptionOf({ ...COUPON, ...terms }, { ...order, ...changed }, used)).toThrow(refusal);
  });

  describe('in a renewal', () => {
    const monthly = { interval: 'month', interval_count: 1, time_zone: 'UTC' } as const;
    const renewal = (payments: number, reduced: readonly Date[]) => ({
      ...order,
      renewal: { ...monthly, payments, reduced },
    });
    const LASTING = { ...COUPON, duration: 'forever' as const };

    it.each([
      ['the limit of the student', { max_per_member: 1 }, 1],
      ['all redemptions', { max_redemptions: 1, redeemed_count: 1 }, 0],
      ['the end', { expires_at: NOW }, 0],
    ])('continues a coupon after %s', (_what, terms, used) => {
      expect(redemptionOf({ ...LASTING, ...terms }, renewal(1, [BEFORE]), used)).toEqual([1_000, 501]);
      expect(() => redemptionOf({ ...LASTING, ...terms }, renewal(1, []), used)).toThrow(
        expect.objectContaining({ code: 'invalid_state' }),
      );
    });

    it.each([
      ['coupon_inactive', { active: false }],
      ['coupon_not_applicable', { duration: 'once' as const }],
      ['coupon_not_applicable', { duration: 'repeating' as const, duration_months: 1 }],
    ])('refuses with %s a further payment by a coupon with %j', (code, terms) => {
      const errors = [expect.objectContaining({ pointer: '/code', code })];
      expect(() => redemptionOf({ ...LASTING, ...terms }, renewal(1, [BEFORE]), 0)).toThrow(
        expect.objectContaining({ code: 'invalid_state', errors }),
      );
    });
  });

  it('redeems at the time of the order, not at the time of its record', () => {
    const coupon = { ...COUPON, starts_at: NOW, expires_at: AFTER };
    expect(redemptionOf(coupon, order, 0)).toEqual([1_000, 501]);
    expect(() => redemptionOf(coupon, { ...order, at: BEFORE }, 0)).toThrow('has not begun');
  });
});

it('repeats the redemption of an order for the same coupon, until it is given back', () => {
  const known = { coupon_id: 'a', restored_at: null };
  expect(() => requireSameRedemption(known, { id: 'a' })).not.toThrow();
  expect(() => requireSameRedemption(known, { id: 'b' })).toThrow('another coupon');
  expect(() => requireSameRedemption({ ...known, restored_at: NOW }, { id: 'a' })).toThrow('given its redemption back');
});
