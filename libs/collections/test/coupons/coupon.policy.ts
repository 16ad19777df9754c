import { ApiError } from '@lyceum/errors';
import type { Coupon } from './coupon.entity.js';
import type { CouponPatch } from './coupon.schema.js';

/** Members keep the offer that they redeemed: code and discount are fixed after the first redemption. */
export function requireEditable({ redeemed_count }: Pick<Coupon, 'redeemed_count'>, patch: CouponPatch): void {
  if (redeemed_count === 0 || (patch.code === undefined && patch.discount === undefined)) return;
  throw new ApiError('invalid_state', 'The coupon has been redeemed: its code and discount cannot change', {
    hint: 'Deactivate it and create another one',
  });
}

/** A patch of a part of an amount needs the other part, here or before. */
export function requireWhole({ min_order }: Partial<Pick<Coupon, 'min_order'>>): void {
  if (min_order === undefined || min_order === null) return;
  const { amount_minor, currency } = min_order as Partial<typeof min_order>;
  if (amount_minor !== undefined && currency !== undefined) return;
  throw new ApiError('validation_failed', 'The amount is not whole', {
    errors: [{ pointer: '/min_order', code: 'invalid_value', detail: 'An amount_minor and a currency' }],
  });
}
