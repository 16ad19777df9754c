import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { CouponRedemption } from './coupon-redemption.entity.js';
import { couponRedemption } from './coupon-redemption.schema.js';
import { CouponRedemptionService } from './coupon-redemption.service.js';

const ITEM = ['id', 'order_id', 'student_id', 'discount', 'redeemed_at', 'restored_at'] as const;

const shownRedemption = {
  resource: couponRedemption,
  etag: ({ version }: CouponRedemption) => rowTag(version),
  personal: true,
};

export const couponRedemptionCollection = collection({
  ...shownRedemption,
  name: 'redemptions',
  scope: 'coupons',
  service: CouponRedemptionService,
  row: CouponRedemption,
  parent: { name: 'coupons', one: 'coupon' },
  toolItem: ITEM,
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

/** The redemptions of all coupons, by their ids alone. */
export const redemptionOfCouponCollection = collection({
  ...shownRedemption,
  name: 'coupon_redemptions',
  scope: 'coupons',
  service: CouponRedemptionService,
  row: CouponRedemption,
  toolItem: ['coupon_id', ...ITEM],
  operations: {
    list: {
      id: 'listRedemptionsOfCoupons',
      summary: 'List the redemptions of all coupons',
      description:
        'Returns the orders that redeemed a coupon, newest first. `coupon_id` keeps those of one coupon, and ' +
        '`student_id` those of one student. Needs the role owner or admin.',
      problems: ['forbidden'],
      tool: {
        description:
          'Lists the orders that redeemed any coupon, newest first, or those of one student. Use it to see which offers ' +
          'were used lately, for owners and admins; list_coupon_redemptions is for one coupon.',
      },
      run: (redemptions, { principal, query }) => redemptions.list(principal, query),
    },
    get: {
      id: 'getRedemptionOfCoupon',
      summary: 'Get a redemption by its id',
      description: 'Returns the order and the discount. Needs the role owner or admin.',
      problems: ['forbidden'],
      run: (redemptions, { principal, id }) => redemptions.get(principal, id),
    },
  },
});
