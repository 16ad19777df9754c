import { ApiError } from '@lyceum/errors';
import fc from 'fast-check';
import { discountsOf } from '#src/coupons/discount.policy.js';
import { lineTotal, refundOf, requireTotals, shareOf, totalsOf } from './order.policy.js';
import type { LineMoney, Refundable, RefundRequest } from './order.policy.js';

const MOST = Number.MAX_SAFE_INTEGER;

/** Small amounts, powers of two and the largest ones, so that sums fall on both sides of 2^53. */
const amount = fc.oneof(
  fc.nat(1_000),
  fc.integer({ min: 0, max: 53 }).map((power) => Math.min(2 ** power, MOST)),
  fc.integer({ min: MOST - 2, max: MOST }),
  fc.maxSafeNat(),
);
const line = fc.record({
  quantity: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 1_000 })),
  unit_amount_minor: amount,
  discount_minor: fc.oneof(fc.constant(0), amount),
  tax_minor: fc.oneof(fc.constant(0), amount),
});
const order = fc.record({ line_items: fc.array(line, { minLength: 1, maxLength: 8 }), tax_included: fc.boolean() });
type Order = Parameters<typeof totalsOf>[0];

const big = BigInt;
const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, one) => sum + one, 0n);
const amountOf = ({ unit_amount_minor, quantity }: LineMoney): bigint => big(unit_amount_minor) * big(quantity);

/** The four sums without any rounding. */
function exactTotals({ line_items, tax_included }: Order) {
  const subtotal = sumOf(line_items.map(amountOf));
  const discount = sumOf(line_items.map(({ discount_minor }) => big(discount_minor)));
  const tax = sumOf(line_items.map(({ tax_minor }) => big(tax_minor)));
  return { subtotal, discount, tax, total: subtotal - discount + (tax_included ? 0n : tax) };
}

/** Whether no line takes more off than it costs. */
function areLinesSound({ line_items, tax_included }: Order): boolean {
  return line_items.every((one) => {
    const paid = amountOf(one) - big(one.discount_minor);
    return paid >= 0n && (!tax_included || big(one.tax_minor) <= paid);
  });
}

function isAccepted(given: Order): boolean {
  try {
    requireTotals({ ...given, ...totalsOf(given) });
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    return false;
  }
}

it('accepts exactly the orders whose lines are sound and whose sums are at most 2^53 - 1', () => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(order, (given) => {
      const fits = Object.values(exactTotals(given)).every((sum) => sum <= big(MOST));
      expect(isAccepted(given)).toBe(areLinesSound(given) && fits);
      seen[isAccepted(given) ? 'accepted' : 'refused'] += 1;
    }),
    { numRuns: 2_000 },
  );
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(50);
});

it.each([
  ['an included tax on the largest price', { unit_amount_minor: MOST, discount_minor: 0, tax_minor: MOST }, true, true],
  ['a tax that a discount makes room for', { unit_amount_minor: MOST, discount_minor: 5, tax_minor: 5 }, false, true],
  ['a tax above the rest', { unit_amount_minor: MOST, discount_minor: 5, tax_minor: 6 }, false, false],
])('decides about %s', (_name, money, tax_included, accepted) => {
  expect(isAccepted({ line_items: [{ quantity: 1, ...money }], tax_included })).toBe(accepted);
});

it('makes the sums of an accepted order without any rounding', () => {
  fc.assert(
    fc.property(order, (given) => {
      fc.pre(isAccepted(given));
      const { subtotal, discount, tax, total } = exactTotals(given);
      const totals = totalsOf(given);
      const { subtotal_minor, discount_minor, tax_minor, total_minor } = totals;
      expect([subtotal_minor, discount_minor, tax_minor, total_minor].map(big)).toEqual([
        subtotal,
        discount,
        tax,
        total,
      ]);
      expect(sumOf(given.line_items.map((one) => big(lineTotal(one, given.tax_included))))).toBe(total);
    }),
  );
});

it.each([
  ['JPY', 0],
  ['TWD', 2],
  ['KWD', 3],
])('accepts the discounts of a coupon in %s, with %p decimals, and adds up to the price', (currency, decimals) => {
  const price = fc.oneof(fc.nat(10 ** (decimals + 4)), fc.nat(2 ** 50));
  const discount = fc.oneof(
    fc.integer({ min: 1, max: 100 }).map((percent) => ({ kind: 'percentage', percent }) as const),
    amount.map((amount_minor) => ({ kind: 'fixed_amount', amount: { amount_minor, currency } }) as const),
  );
  fc.assert(
    fc.property(discount, fc.array(price, { minLength: 1, maxLength: 6 }), (given, prices) => {
      const sold = prices.map((amount_minor) => ({
        item_type: 'ticket' as const,
        item_id: 'seat',
        amount_minor,
      }));
      const discounts = discountsOf({ discount: given, applies_to: { item_types: [], ids: [] } }, sold);
      const line_items = prices.map((unit_amount_minor, index) => ({
        quantity: 1,
        unit_amount_minor,
        discount_minor: discounts[index] ?? 0,
        tax_minor: 0,
      }));
      expect(isAccepted({ line_items, tax_included: false })).toBe(true);
      const { total_minor, discount_minor } = totalsOf({ line_items, tax_included: false });
      expect(big(total_minor) + big(discount_minor)).toBe(sumOf(prices.map(big)));
    }),
  );
});

const part = fc.record({ total_minor: amount, quantity: fc.integer({ min: 1, max: 1_000 }) });
const lineOf = ({ total_minor, quantity }: { total_minor: number; quantity: number }, index = 0) => ({
  position: index + 1,
  quantity,
  refunded_quantity: 0,
  total_minor,
});

it('divides a line into parts that add up to it, each rounded by less than one minor unit', () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 999 }), { maxLength: 12 });
  fc.assert(
    fc.property(part, cuts, (given, places) => {
      const { quantity, total_minor } = given;
      const inside = places.filter((place) => place < quantity).toSorted((a, b) => a - b);
      const edges = [0, ...inside, quantity];
      const shares = edges.slice(1).map((to, index) => {
        const from = edges[index] ?? 0;
        const share = big(shareOf(lineOf(given), from, to));
        const rounding = share * big(quantity) - big(total_minor) * big(to - from);
        expect(rounding > -big(quantity) && rounding < big(quantity)).toBe(true);
        return share;
      });
      expect(sumOf(shares)).toBe(big(total_minor));
      expect(shares.every((share) => share >= 0n)).toBe(true);
    }),
  );
});

it('rounds the first part of a line down, and adds the rest to the last part', () => {
  fc.assert(
    fc.property(part, fc.nat(1_000), (given, place) => {
      const to = Math.min(place, given.quantity);
      const exact = (big(given.total_minor) * big(to)) / big(given.quantity);
      expect(big(shareOf(lineOf(given), 0, to))).toBe(exact);
    }),
  );
});

const request: fc.Arbitrary<RefundRequest> = fc.record(
  {
    amount_minor: amount,
    line_items: fc.array(
      fc.record({ position: fc.integer({ min: 1, max: 4 }), quantity: fc.integer({ min: 1, max: 9 }) }),
      {
        maxLength: 3,
      },
    ),
  },
  { requiredKeys: [] },
);
const paid = fc
  .array(
    fc.record({ total_minor: fc.oneof(fc.nat(1_000), fc.nat(2 ** 50)), quantity: fc.integer({ min: 1, max: 9 }) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((lines): Refundable => {
    const total_minor = lines.reduce((sum, one) => sum + one.total_minor, 0);
    return { state: 'paid', total_minor, refunded_minor: 0, line_items: lines.map(lineOf) };
  });

/** The order after a refund, and its amount. Undefined: the refund is refused. */
function refunded(known: Refundable, given: RefundRequest): readonly [Refundable, number] | undefined {
  try {
    const { state, amount_minor, refunded_minor, line_items } = refundOf(known, given);
    const lines = known.line_items.map((one) => {
      const units = line_items.find(({ position }) => position === one.position)?.quantity ?? 0;
      return { ...one, refunded_quantity: one.refunded_quantity + units };
    });
    return [{ ...known, state, refunded_minor, line_items: lines }, amount_minor];
  } catch (error) {
    expect(['invalid_state', 'validation_failed']).toContain((error as ApiError).code);
    return undefined;
  }
}

it('never returns more than was paid or sold, in any sequence of amounts and lines', () => {
  let done = 0;
  fc.assert(
    fc.property(paid, fc.array(request, { maxLength: 12 }), (first, requests) => {
      let known = first;
      let sum = 0n;
      for (const given of requests) {
        const [next, amount_minor] = refunded(known, given) ?? [known, 0];
        if (next !== known) done += 1;
        sum += big(amount_minor);
        known = next;
        expect(big(known.refunded_minor)).toBe(sum);
        expect(known.refunded_minor).toBeLessThanOrEqual(first.total_minor);
        for (const one of known.line_items) expect(one.refunded_quantity).toBeLessThanOrEqual(one.quantity);
        if (known.state === 'refunded') expect(known.refunded_minor).toBe(first.total_minor);
      }
      const left = first.total_minor - known.refunded_minor;
      if (left === 0) return;
      // The rest is always refundable as an amount, and nothing above it is.
      expect(refunded(known, { amount_minor: left })?.[0]).toMatchObject({ state: 'refunded' });
      expect(refunded(known, { amount_minor: left + 1 })).toBeUndefined();
    }),
  );
  expect(done).toBeGreaterThan(50);
});
