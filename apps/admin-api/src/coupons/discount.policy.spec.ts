import fc from 'fast-check';
import { discountsOf } from './discount.policy.js';
import type { Discount, OrderLine } from './discount.policy.js';

const ALL = { item_types: [], ids: [] };
const percentage = (percent: number): Discount => ({ kind: 'percentage', percent });
const fixed = (amount_minor: number, currency = 'TWD'): Discount => ({
  kind: 'fixed_amount',
  amount: { amount_minor, currency },
});
const line = (amount_minor: number, more: Partial<OrderLine> = {}): OrderLine => ({
  item_type: 'course_plan',
  item_id: 'plan',
  amount_minor,
  ...more,
});
const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
const discounts = (discount: Discount, amounts: readonly number[]): readonly number[] =>
  discountsOf(
    { discount, applies_to: ALL },
    amounts.map((amount) => line(amount)),
  );

it.each([
  ['JPY, without decimals', percentage(15), [990], [149]],
  ['JPY, half a yen', percentage(50), [101], [51]],
  ['TWD, with two decimals', percentage(10), [150_005], [15_001]],
  ['TWD, below half a cent', percentage(10), [150_004], [15_000]],
  ['KWD, with three decimals', percentage(33), [1_250, 2_750], [413, 907]],
  ['KWD, a fixed amount', fixed(1_001, 'KWD'), [10_000, 10_000], [501, 500]],
  ['TWD, a fixed amount above the order', fixed(500), [300, 100], [300, 100]],
  ['TWD, thirds', fixed(100), [1, 1, 1, 1].map((share) => share * 300), [25, 25, 25, 25]],
  ['TWD, equal remainders', fixed(100), [300, 300, 300], [34, 33, 33]],
  ['TWD, the largest remainder', fixed(10), [100, 250, 650], [1, 3, 6]],
  ['TWD, a free line', percentage(10), [0, 1_000], [0, 100]],
  ['TWD, nothing to reduce', fixed(10), [0, 0], [0, 0]],
  ['the largest amount of JSON', percentage(99), [Number.MAX_SAFE_INTEGER], [8_917_127_262_193_581]],
])('divides a discount of %s', (_name, discount, amounts, expected) => {
  expect(discounts(discount, amounts)).toEqual(expected);
});

it.each([
  ['all items', {}, [50, 50, 50]],
  ['a type', { item_types: ['ticket'] }, [0, 50, 0]],
  ['a thing that is sold', { ids: ['plan'] }, [50, 0, 0]],
  ['the event of a ticket', { ids: ['event'] }, [0, 50, 0]],
  ['a type or an id', { item_types: ['ticket'], ids: ['plan'] }, [50, 50, 0]],
  ['nothing of the order', { ids: ['another'] }, [0, 0, 0]],
] as const)('reduces only lines of %s', (_name, applies_to, expected) => {
  const lines = [
    line(100, { parent_id: 'course' }),
    line(100, { item_type: 'ticket', item_id: 'ticket', parent_id: 'event' }),
    line(100, { item_type: 'digital_product', item_id: 'product' }),
  ];
  expect(discountsOf({ discount: percentage(50), applies_to: { ...ALL, ...applies_to } }, lines)).toEqual(expected);
});

/** Orders whose sum is an exact integer of JSON. */
const amounts = fc.array(fc.oneof(fc.nat(1_000), fc.nat(2 ** 46)), { minLength: 1, maxLength: 100 });
const discount = fc.oneof(
  fc.integer({ min: 1, max: 100 }).map(percentage),
  fc.tuple(fc.oneof(fc.nat(5_000), fc.maxSafeNat()), fc.constantFrom('JPY', 'TWD', 'KWD')).map(([a, c]) => fixed(a, c)),
);

it('takes from each line a whole amount between 0 and its own', () => {
  fc.assert(
    fc.property(discount, amounts, (given, order) => {
      for (const [index, part] of discounts(given, order).entries()) {
        expect(Number.isSafeInteger(part) && part >= 0 && part <= (order[index] ?? -1)).toBe(true);
      }
    }),
  );
});

it('takes a fixed amount in full, or the whole order', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), amounts, (amount, order) => {
      expect(sumOf(discounts(fixed(amount), order))).toBe(Math.min(amount, sumOf(order)));
    }),
  );
});

it('rounds a percentage half up, once for the order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), amounts, (percent, order) => {
      const hundredths = BigInt(sumOf(order)) * BigInt(percent);
      const rest = hundredths % 100n;
      const rounded = hundredths / 100n + (rest >= 50n ? 1n : 0n);
      expect(BigInt(sumOf(discounts(percentage(percent), order)))).toBe(rounded);
    }),
  );
});

it('differs from the exact share of a line by less than one minor unit', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), amounts, (amount, order) => {
      const [sum, parts] = [BigInt(sumOf(order)), discounts(fixed(amount), order)];
      const total = BigInt(sumOf(parts));
      for (const [index, part] of parts.entries()) {
        const difference = BigInt(part) * sum - total * BigInt(order[index] ?? 0);
        expect(difference === 0n || (difference < sum && difference > -sum)).toBe(true);
      }
    }),
  );
});

it('reduces an order alike in every currency', () => {
  fc.assert(
    fc.property(fc.nat(100_000), amounts, (amount, order) => {
      expect(discounts(fixed(amount, 'JPY'), order)).toEqual(discounts(fixed(amount, 'KWD'), order));
    }),
  );
});
