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
