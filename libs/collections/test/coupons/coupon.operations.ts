import { collection, collectionModule } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { Coupon } from './coupon.entity.js';
import { Coupons1795987200031 } from './coupon.migration.js';
import { coupon } from './coupon.schema.js';
import { CouponService } from './coupon.service.js';

export const couponCollection = collection({
  name: 'coupons',
  scope: 'coupons',
  description: 'Coupons that reduce the price of an order.',
  service: CouponService,
  row: Coupon,
  resource: coupon,
  etag: ({ version, redeemed_count }) => rowTag(version, redeemed_count),
  toolItem: ['id', 'code', 'name', 'active', 'expires_at', 'redeemed_count'],
  operations: {
    list: {
      id: 'listCoupons',
      summary: 'List coupons',
      description: 'Returns the coupons of the site, deactivated ones included.',
      tool: { description: 'Lists the coupons of this site, newest first. Use it to find a coupon or its id.' },
      run: (coupons, { principal, query }) => coupons.list(principal, query),
    },
    get: {
      id: 'getCoupon',
      summary: 'Get a coupon',
      description: 'Returns one coupon.',
      tool: { description: 'Reads one coupon. Use it before changing one.' },
      run: (coupons, { principal, id }) => coupons.get(principal, id),
    },
    create: {
      id: 'createCoupon',
      summary: 'Create a coupon',
      description: 'Members can redeem the new coupon at once.',
      problems: ['already_exists'],
      tool: { description: 'Creates a coupon, which members can redeem at once. Use it to give a discount.' },
      run: (coupons, { principal, body, tx }) => coupons.create(principal, body, tx),
    },
    update: {
      id: 'updateCoupon',
      summary: 'Update a coupon',
      description: 'JSON Merge Patch (RFC 7396). Code and discount are fixed after the first redemption.',
      problems: ['already_exists', 'invalid_state'],
      tool: { description: 'Changes the given members of a coupon: absent ones stay. Use it to extend or rename one.' },
      run: (coupons, { principal, body, tx, ...key }) => coupons.patch(principal, key, body, tx),
    },
    actions: {
      deactivate: {
        id: 'deactivateCoupon',
        summary: 'Deactivate a coupon',
        description: 'Members can no longer redeem the coupon.',
        ends: true,
        tool: { description: 'Stops members from redeeming a coupon. Use it to end an offer early.' },
        run: (coupons, { principal, tx, ...key }) => coupons.setActive(principal, key, false, tx),
      },
      reactivate: {
        id: 'reactivateCoupon',
        summary: 'Reactivate a coupon',
        description: 'Members can redeem the coupon again.',
        run: (coupons, { principal, tx, ...key }) => coupons.setActive(principal, key, true, tx),
      },
    },
  },
});

export const CouponModule = collectionModule({ operations: [couponCollection], migrations: [Coupons1795987200031] });
