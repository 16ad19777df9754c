import { ApiError } from '@lyceum/errors';
import type { FieldError } from '@lyceum/errors';
import type { OrderItemType } from '@lyceum/contracts';

interface RenewalLine {
  readonly item_type: OrderItemType;
  /** The plan of a price. */
  readonly parent_id: string | null;
}

/** @throws `validation_failed` unless the order has a line with a price of the plan of the subscription it renews */
export function requireRenewal(lines: readonly RenewalLine[], { plan_id }: { readonly plan_id: string }): void {
  const index = lines.findIndex(({ item_type }) => item_type === 'membership_plan');
  const detail = 'A renewal has one line with the membership plan of the subscription';
  if (index === -1) refuse([{ pointer: '/line_items', code: 'required', detail }]);
  if (lines[index]?.parent_id !== plan_id)
    refuse([{ pointer: `/line_items/${index}/item`, code: 'invalid_value', detail }]);
}

/** A payment gives the interval of the subscription, so the price has the same. @throws `validation_failed` */
export function refuseInterval(index: number): never {
  const detail = 'A renewal has a price of the interval of the subscription';
  return refuse([{ pointer: `/line_items/${index}/item`, code: 'invalid_value', detail }]);
}

/** @throws `not_found` */
export function refuseSubscription(): never {
  const detail = 'The student has no such subscription';
  throw new ApiError('not_found', detail, { errors: [{ pointer: '/subscription_id', code: 'not_found', detail }] });
}

interface Discounted {
  readonly discount_minor: number;
  readonly line_items: readonly { readonly discount_minor: number }[];
}

/** Requires the discounts of an order to be those of its coupon. @throws `validation_failed` with each that is not */
export function requireDiscounts(
  order: Discounted,
  coupon: Omit<Discounted, 'line_items'> & { readonly discounts: readonly number[] },
): void {
  const compare = (pointer: string, known: number | undefined, given: number): FieldError[] =>
    known === given ? [] : [{ pointer, code: 'invalid_value', detail: `The coupon gives ${known}` }];
  const errors = [
    ...compare('/discount_minor', coupon.discount_minor, order.discount_minor),
    ...order.line_items.flatMap(({ discount_minor }, index) =>
      compare(`/line_items/${index}/discount_minor`, coupon.discounts[index], discount_minor),
    ),
  ];
  if (errors.length > 0) refuse(errors);
}

/** Names the member of an order for the code of a coupon in an error. */
export function ofCoupon(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { code, message, hint, retryAfter } = error;
  const errors = error.errors.map((one) => (one.pointer === '/code' ? { ...one, pointer: '/coupon_code' } : one));
  return new ApiError(code, message, { errors, ...(hint && { hint }), ...(retryAfter && { retryAfter }) });
}

function refuse(errors: readonly FieldError[]): never {
  throw new ApiError('validation_failed', 'The order does not fit', { errors });
}
