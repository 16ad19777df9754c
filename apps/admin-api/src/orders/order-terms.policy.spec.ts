import { ApiError } from '@lyceum/errors';
import { ofCoupon, requireDiscounts, requireRenewal } from './order-terms.policy.js';

const at = (...pointers: readonly string[]) =>
  expect.objectContaining({
    code: 'validation_failed',
    errors: pointers.map((pointer) => expect.objectContaining({ pointer })),
  });

it.each([
  ['a price of its plan', [['membership_plan', 'p']], undefined],
  [
    'a price of its plan beside a course',
    [
      ['course_plan', 'c'],
      ['membership_plan', 'p'],
    ],
    undefined,
  ],
  ['a course alone', [['course_plan', 'p']], '/line_items'],
  [
    'a price of another plan',
    [
      ['course_plan', 'p'],
      ['membership_plan', 'q'],
    ],
    '/line_items/1/item',
  ],
] as const)('renews a subscription by an order of %s, or refuses it', (_what, given, pointer) => {
  const lines = given.map(([item_type, parent_id]) => ({ item_type, parent_id }));
  const work = (): void => requireRenewal(lines, { plan_id: 'p' });
  if (pointer === undefined) expect(work).not.toThrow();
  else expect(work).toThrow(at(pointer));
});

it.each<[readonly number[], readonly string[]]>([
  [[10, 20], []],
  [
    [20, 10],
    ['/line_items/0/discount_minor', '/line_items/1/discount_minor'],
  ],
  [
    [10, 21],
    ['/discount_minor', '/line_items/1/discount_minor'],
  ],
])('compares the discounts %j with those of the coupon', (given, pointers) => {
  const line_items = given.map((discount_minor) => ({ discount_minor }));
  const order = { line_items, discount_minor: given.reduce((sum, one) => sum + one, 0) };
  const work = (): void => requireDiscounts(order, { discount_minor: 30, discounts: [10, 20] });
  if (pointers.length === 0) expect(work).not.toThrow();
  else expect(work).toThrow(at(...pointers));
});

it('names the member of the order in an error of its coupon, and leaves others as they are', () => {
  const error = { pointer: '/code', code: 'coupon_expired' as const, detail: 'x' };
  expect(ofCoupon(new ApiError('invalid_state', 'Expired', { errors: [error] }))).toMatchObject({
    code: 'invalid_state',
    message: 'Expired',
    errors: [{ ...error, pointer: '/coupon_code' }],
  });
  const unexpected = new Error('unexpected');
  expect(ofCoupon(unexpected)).toBe(unexpected);
});
