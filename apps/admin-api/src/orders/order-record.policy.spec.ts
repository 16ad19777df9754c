import { ORDER_STATES, RECORDED_ORDER_STATES } from '@lyceum/contracts';
import { moveOf, refusesPayment, requireRecord, requireSameOrder, requireSamePayment } from './order-record.policy.js';
import type { OrderState, RecordedOrderState } from './order-record.policy.js';

const NOW = new Date('2026-12-01T10:00:00Z');

const MONEY = { subtotal_minor: 10, discount_minor: 0, tax_minor: 0, total_minor: 10 };
const LINE = { quantity: 1, unit_amount_minor: 10, discount_minor: 0, tax_minor: 0 };
const RECORD = {
  ...MONEY,
  state: 'paid' as const,
  currency: 'TWD',
  tax_included: false,
  paid_at: NOW.toISOString(),
  line_items: [LINE],
};

/** Undefined: a repetition. All other moves are refused. */
const MOVES: Readonly<Record<OrderState, Partial<Record<RecordedOrderState, RecordedOrderState | undefined>>>> = {
  pending: { pending: undefined, paid: 'paid', failed: 'failed', expired: 'expired' },
  paid: { paid: undefined },
  partially_refunded: { paid: undefined },
  refunded: { paid: undefined },
  failed: { failed: undefined },
  expired: { expired: undefined },
};

it.each(ORDER_STATES.flatMap((from) => RECORDED_ORDER_STATES.map((to) => [from, to] as const)))(
  'answers a record of an order that is %s as %s',
  (from, to) => {
    if (to in MOVES[from]) expect(moveOf(from, to)).toBe(MOVES[from][to]);
    else expect(() => moveOf(from, to)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
  },
);

it.each([
  ['paid', 'invalid_state', true],
  ['paid', 'not_found', true],
  ['paid', 'validation_failed', true],
  ['paid', 'already_exists', false],
  ['paid', 'temporarily_unavailable', false],
  ['failed', 'invalid_state', false],
] as const)('says whether operators see a record as %s that is refused with %s: %p', (state, code, seen) => {
  expect(refusesPayment(state, { code })).toBe(seen);
});

it.each([
  ['a paid order', {}, undefined],
  ['a pending order', { state: 'pending' as const, paid_at: null }, undefined],
  ['a code of no currency', { currency: 'TWX' }, '/currency'],
  ['a paid order without the instant', { paid_at: null }, '/paid_at'],
  ['a failed order with an instant', { state: 'failed' as const }, '/paid_at'],
  ['an instant in the future', { paid_at: '2026-12-01T10:05:00.001Z' }, '/paid_at'],
  ['a total that does not fit', { total_minor: 11 }, '/total_minor'],
])('decides about %s', (_name, given, pointer) => {
  const work = (): void => requireRecord({ ...RECORD, ...given }, NOW);
  if (pointer === undefined) expect(work).not.toThrow();
  else expect(work).toThrow(expect.objectContaining({ errors: [expect.objectContaining({ pointer })] }));
});

describe('a second record with a number', () => {
  const line = { ...LINE, item_type: 'course_plan' as const, item_id: 'a' };
  const facts = {
    ...MONEY,
    student_id: 's',
    currency: 'TWD',
    tax_included: false,
    coupon_code: null,
    subscription_id: null,
    line_items: [line, { ...line, item_id: 'b' }],
  };
  const known = { ...facts, id: 'o' };

  it.each<[object, string[]]>([
    [{}, []],
    [{ student_id: 't' }, ['/student']],
    [{ currency: 'USD', coupon_code: 'X' }, ['/currency', '/coupon_code']],
    [{ line_items: facts.line_items.toReversed() }, ['/line_items']],
    [{ line_items: [line] }, ['/line_items']],
    [{ line_items: [line, { ...line, item_id: 'b', quantity: 2 }] }, ['/line_items']],
  ])('names the members in which %j differs', (given, pointers) => {
    const work = (): void => requireSameOrder(known, { ...facts, ...given });
    if (pointers.length === 0) return expect(work).not.toThrow();
    const errors = pointers.map((pointer) => expect.objectContaining({ pointer, id: 'o' }));
    expect(work).toThrow(expect.objectContaining({ code: 'already_exists', errors }));
  });

  it.each([
    [NOW, 'card', undefined],
    [NOW, null, undefined],
    [new Date(0), 'card', '/paid_at'],
    [null, 'card', '/paid_at'],
    [NOW, 'cash', '/payment_method'],
  ])('compares the payment at %p by %p', (paid_at, payment_method, pointer) => {
    const work = (): void =>
      requireSamePayment({ id: 'o', paid_at: NOW, payment_method: 'card' }, { paid_at, payment_method });
    if (pointer === undefined) expect(work).not.toThrow();
    else expect(work).toThrow(expect.objectContaining({ errors: [expect.objectContaining({ pointer })] }));
  });
});
