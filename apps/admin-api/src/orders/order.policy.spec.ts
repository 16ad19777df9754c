import { lineTotal, refundOf, requireTotals, shareOf, totalsOf } from './order.policy.js';
import type { LineMoney, Refundable, RefundableLine, Totals } from './order.policy.js';

const SEED = 20_261_123;
const RUNS = 500;
const MOST = Number.MAX_SAFE_INTEGER;

/** A sequence of numbers from 0 to `below` that a seed repeats (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

type Draw = ReturnType<typeof numbers>;

function lineOf(draw: Draw, tax_included: boolean, most = 10_000_000): LineMoney {
  const line = { quantity: 1 + draw(20), unit_amount_minor: draw(most) };
  const amount = line.quantity * line.unit_amount_minor;
  const discount_minor = draw(3) === 0 ? draw(amount + 1) : 0;
  return { ...line, discount_minor, tax_minor: draw(tax_included ? amount - discount_minor + 1 : most) };
}

function orderOf(draw: Draw, most?: number) {
  const tax_included = draw(2) === 1;
  return { tax_included, line_items: Array.from({ length: 1 + draw(100) }, () => lineOf(draw, tax_included, most)) };
}

const pointersOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return (error as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);
  }
  return [];
};

describe.each([
  ['JPY', 0],
  ['TWD', 2],
  ['KWD', 3],
])('totals in %s, with %p decimals', (_currency, decimals) => {
  it('adds prices up to their last digit', () => {
    const draw = numbers(SEED + decimals);
    for (let run = 0; run < RUNS; run += 1) {
      const prices = Array.from({ length: 1 + draw(50) }, () => {
        const digits = String(draw(10 ** 9)).padStart(decimals + 1, '0');
        return `${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`;
      });
      const line_items = prices.map((price) => ({
        quantity: 1,
        unit_amount_minor: Number(price.replace('.', '')),
        discount_minor: 0,
        tax_minor: 0,
      }));
      const { total_minor } = totalsOf({ line_items, tax_included: false });
      const scale = 10n ** BigInt(decimals);
      const whole = prices.reduce((sum, price) => sum + BigInt(price.split('.')[0] ?? '') * scale, 0n);
      const parts = prices.reduce((sum, price) => sum + BigInt(price.split('.')[1] ?? ''), 0n);
      expect(BigInt(total_minor)).toBe(whole + parts);
    }
  });
});

describe('requireTotals', () => {
  it('accepts the exact sums of any lines and refuses each other sum with its pointer', () => {
    const draw = numbers(SEED);
    for (let run = 0; run < RUNS; run += 1) {
      const order = orderOf(draw);
      const totals = totalsOf(order);
      expect(() => requireTotals({ ...order, ...totals })).not.toThrow();
      for (const member of Object.keys(totals) as (keyof Totals)[]) {
        const off = { ...order, ...totals, [member]: totals[member] + (draw(2) === 0 ? 1 : -1) };
        expect(pointersOf(() => requireTotals(off))).toEqual([`/${member}`]);
      }
    }
  });

  it('keeps the sum of the lines that buyers pay equal to the total', () => {
    const draw = numbers(SEED + 1);
    for (let run = 0; run < RUNS; run += 1) {
      const { line_items, tax_included } = orderOf(draw, 2 ** 40);
      const { subtotal_minor, discount_minor, tax_minor, total_minor } = totalsOf({ line_items, tax_included });
      const exact = line_items.reduce((sum, line) => sum + BigInt(lineTotal(line, tax_included)), 0n);
      expect(BigInt(total_minor)).toBe(exact);
      const tax = tax_included ? 0n : BigInt(tax_minor);
      expect(exact).toBe(BigInt(subtotal_minor) - BigInt(discount_minor) + tax);
    }
  });

  const plain = { quantity: 1, unit_amount_minor: 10, discount_minor: 0, tax_minor: 0 };
  const order = (...lines: Partial<LineMoney>[]) => {
    const line_items = lines.map((line) => ({ ...plain, ...line }));
    return { line_items, tax_included: true, ...totalsOf({ line_items, tax_included: true }) };
  };

  it.each<[string, ReturnType<typeof order>, string[]]>([
    ['the largest amount', order({ unit_amount_minor: MOST }), []],
    [
      'a larger product',
      order({ unit_amount_minor: MOST, quantity: 2 }),
      ['/line_items/0/unit_amount_minor', '/line_items'],
    ],
    ['a larger sum', order({ unit_amount_minor: MOST }, { unit_amount_minor: 1 }), ['/line_items']],
    ['a discount of everything', order({ discount_minor: 10 }), []],
    ['a larger discount', order({}, { discount_minor: 11 }), ['/line_items/1/discount_minor']],
    ['an included tax of everything', order({ discount_minor: 4, tax_minor: 6 }), []],
    ['a larger included tax', order({ discount_minor: 4, tax_minor: 7 }), ['/line_items/0/tax_minor']],
  ])('answers %s', (_name, given, pointers) => {
    expect(pointersOf(() => requireTotals(given))).toEqual(pointers);
  });
});

/** A paid order with lines of these totals and quantities. */
function paid(...lines: readonly (readonly [total_minor: number, quantity: number])[]): Refundable {
  const line_items = lines.map(([total_minor, quantity], index) => ({
    position: index + 1,
    quantity,
    refunded_quantity: 0,
    total_minor,
  }));
  const total_minor = line_items.reduce((sum, line) => sum + line.total_minor, 0);
  return { state: 'paid', total_minor, refunded_minor: 0, line_items };
}

/** The order after a refund. */
function after(order: Refundable, request: Parameters<typeof refundOf>[1]): Refundable {
  const { state, refunded_minor, line_items } = refundOf(order, request);
  const lines = order.line_items.map((line): RefundableLine => {
    const part = line_items.find(({ position }) => position === line.position)?.quantity ?? 0;
    return { ...line, refunded_quantity: line.refunded_quantity + part };
  });
  return { ...order, state, refunded_minor, line_items: lines };
}

describe('refundOf', () => {
  it('returns exactly what was paid, in any parts of any lines, and takes each line back once', () => {
    const draw = numbers(SEED + 2);
    for (let run = 0; run < RUNS; run += 1) {
      const size = 1 + draw(6);
      const first = paid(...Array.from({ length: size }, () => [1 + draw(1_000_000), 1 + draw(9)] as const));
      const taken: number[] = [];
      let order = first;
      while (order.state !== 'refunded') {
        const open = order.line_items.filter((line) => line.refunded_quantity < line.quantity);
        const { position, quantity, refunded_quantity } = open[draw(open.length)] as RefundableLine;
        const request = { line_items: [{ position, quantity: 1 + draw(quantity - refunded_quantity) }] };
        const before = order;
        order = after(order, request);
        expect(order.refunded_minor).toBeGreaterThanOrEqual(before.refunded_minor);
        expect(order.refunded_minor).toBeLessThanOrEqual(order.total_minor);
        taken.push(...refundOf(before, request).taken_back.filter((one) => !taken.includes(one)));
        const whole = order.line_items.filter((line) => line.refunded_quantity === line.quantity);
        expect(taken).toHaveLength(whole.length);
        expect(new Set(taken)).toEqual(new Set(whole.map((line) => line.position)));
      }
      expect(order.refunded_minor).toBe(first.total_minor);
      expect(order.line_items.every((line) => line.refunded_quantity === line.quantity)).toBe(true);
    }
  });

  it('divides the largest price into parts without a rest', () => {
    const line = { position: 1, quantity: 1000, refunded_quantity: 0, total_minor: MOST };
    let sum = 0n;
    for (let unit = 0; unit < line.quantity; unit += 1) sum += BigInt(shareOf(line, unit, unit + 1));
    expect(sum).toBe(BigInt(MOST));
  });

  const ORDER = paid([100, 3], [50, 1]);

  it.each<[string, Refundable, Parameters<typeof refundOf>[1], unknown]>([
    ['an amount', ORDER, { amount_minor: 149 }, ['partially_refunded', 149, []]],
    ['the whole amount', ORDER, { amount_minor: 150 }, ['refunded', 150, [1, 2]]],
    ['a part of a line', ORDER, { line_items: [{ position: 1, quantity: 1 }] }, ['partially_refunded', 33, []]],
    ['a line', ORDER, { line_items: [{ position: 2, quantity: 1 }] }, ['partially_refunded', 50, [2]]],
    [
      'a line for less',
      ORDER,
      { amount_minor: 0, line_items: [{ position: 2, quantity: 1 }] },
      ['partially_refunded', 0, [2]],
    ],
    [
      'the rest with the lines, after an amount',
      after(ORDER, { amount_minor: 100 }),
      { amount_minor: 50, line_items: [{ position: 1, quantity: 3 }] },
      ['refunded', 150, [1, 2]],
    ],
    [
      'one of two free lines',
      paid([0, 1], [0, 1]),
      { line_items: [{ position: 1, quantity: 1 }] },
      ['partially_refunded', 0, [1]],
    ],
    [
      'the last free line',
      after(paid([0, 1], [0, 1]), { line_items: [{ position: 1, quantity: 1 }] }),
      { line_items: [{ position: 2, quantity: 1 }] },
      ['refunded', 0, [1, 2]],
    ],
  ])('decides %s', (_name, order, request, decided) => {
    const { state, refunded_minor, taken_back } = refundOf(order, request);
    expect([state, refunded_minor, taken_back]).toEqual(decided);
  });

  const REFUNDED = after(ORDER, { amount_minor: 150 });
  const HALF = after(ORDER, { line_items: [{ position: 1, quantity: 2 }] });

  it.each<[string, Refundable, Parameters<typeof refundOf>[1], string, string[]]>([
    ['of an order without payment', { ...ORDER, state: 'pending' }, { amount_minor: 1 }, 'invalid_state', []],
    ['of a refunded order', REFUNDED, { amount_minor: 1 }, 'invalid_state', []],
    ['of nothing', ORDER, {}, 'validation_failed', ['/amount_minor']],
    ['of no money', ORDER, { amount_minor: 0 }, 'validation_failed', ['/amount_minor']],
    ['above the payment', ORDER, { amount_minor: 151 }, 'invalid_state', ['/amount_minor']],
    ['above the rest', HALF, { amount_minor: 85 }, 'invalid_state', ['/amount_minor']],
    [
      'of lines above the rest',
      after(ORDER, { amount_minor: 149 }),
      { line_items: [{ position: 2, quantity: 1 }] },
      'invalid_state',
      ['/line_items'],
    ],
    [
      'above the lines',
      ORDER,
      { amount_minor: 51, line_items: [{ position: 2, quantity: 1 }] },
      'validation_failed',
      ['/amount_minor'],
    ],
    [
      'of an unknown line',
      ORDER,
      { line_items: [{ position: 3, quantity: 1 }] },
      'validation_failed',
      ['/line_items/0/position'],
    ],
    [
      'of more units than are left',
      HALF,
      { line_items: [{ position: 1, quantity: 2 }] },
      'invalid_state',
      ['/line_items/0/quantity'],
    ],
    [
      'of a line twice',
      ORDER,
      {
        line_items: [
          { position: 2, quantity: 1 },
          { position: 2, quantity: 1 },
        ],
      },
      'validation_failed',
      ['/line_items/1/position'],
    ],
  ])('refuses a refund %s', (_name, order, request, code, pointers) => {
    expect(() => refundOf(order, request)).toThrow(expect.objectContaining({ code }));
    expect(pointersOf(() => refundOf(order, request))).toEqual(pointers);
  });
});
