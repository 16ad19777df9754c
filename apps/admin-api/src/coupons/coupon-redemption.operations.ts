import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { CouponRedemption } from './coupon-redemption.entity.js';
import { couponRedemption } from './coupon-redemption.schema.js';
import { CouponRedemptionService } from './coupon-redemption.service.js';

export const couponRedemptionCollection = collection({
  name: 'redemptions',
  scope: 'coupons',
  service: CouponRedemptionService,
  row: CouponRedemption,
  parent: { name: 'coupons', one: 'coupon' },
  resource: couponRedemption,
  etag: ({ version }) => rowTag(version),
  personal: true,
  toolItem: ['id', 'order_id', 'student_id', 'discount', 'redeemed_at', 'restored_at'],
  operations: {
    list: {
      id: 'listCouponRedemptions',
      summary: 'List the redemptions of a coupon',
      description:
        'Returns the orders that redeemed the coupon, newest first, also those whose redemption a full refund gave back. ' +
        'With `students:read`, `student_id` leads to the student. Needs the role owner or admin.',
      problems: ['forbidden'],
      tool: {
        description:
          'Lists the orders that redeemed a coupon, newest first, with the student and the discount of each. Use it to see ' +
          'how an offer is used, for owners and admins.',
      },
      run: (redemptions, { principal, parent_id, query }) =>
        redemptions.list(principal, query, { coupon_id: parent_id }),
    },
  },
});
