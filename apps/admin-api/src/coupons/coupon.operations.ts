import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { Coupon } from './coupon.entity.js';
import { COUPON_STATES, stateAt } from './coupon.policy.js';
import { coupon } from './coupon.schema.js';
import { CouponService } from './coupon.service.js';

const stateOf = (row: Coupon) => stateAt(row, new Date());

/** How a coupon looks in responses. */
export const shownCoupon = {
  resource: coupon,
  view: { state: stateOf },
  // Redemptions and the clock change what a reader sees, and nothing that an operator edits.
  etag: (row: Coupon) =>
    rowTag(row.version, row.redeemed_count, COUPON_STATES.indexOf(stateOf(row)), row.updated_at.getTime()),
};

export const couponCollection = collection({
  name: 'coupons',
  description: 'Coupons that reduce the price of orders, and their redemptions.',
  ...shownCoupon,
  scope: 'coupons',
  service: CouponService,
  row: Coupon,
  toolItem: ['id', 'name', 'code', 'discount', 'state', 'expires_at', 'max_redemptions', 'redeemed_count'],
  operations: {
    list: {
      id: 'listCoupons',
      summary: 'List coupons',
      description: 'Returns coupons of every state. Needs the role owner or admin, as every operation on coupons does.',
      problems: ['forbidden'],
      tool: {
        description:
          'Lists the coupons of this site with their codes, discounts and redemptions, newest first: all, or those of one ' +
          'state or code. Use it to find a coupon or its id, for owners and admins.',
      },
      run: (coupons, { principal, query }) => coupons.list(principal, query),
    },
    get: {
      id: 'getCoupon',
      summary: 'Get a coupon',
      description: 'Returns a coupon of any state. `GET /coupons/by_code/{code}` takes its code.',
      problems: ['forbidden'],
      tool: {
        description:
          'Reads one coupon of any state with all of its terms. Use it before changing a coupon, for owners and admins.',
      },
      run: (coupons, { principal, id }) => coupons.get(principal, id),
    },
    create: {
      id: 'createCoupon',
      summary: 'Create a coupon',
      description: 'Buyers can redeem the new coupon from `starts_at` on.',
      problems: ['already_exists', 'forbidden'],
      tool: {
        description:
          'Creates a coupon with a code that the school chooses, for owners and admins; buyers can redeem it from ' +
          'starts_at on. Use it to give a discount; generate_coupons makes many with random codes.',
      },
      run: (coupons, { principal, body, tx }) => coupons.create(principal, body, tx),
    },
    upsert: {
      id: 'putCoupon',
      summary: 'Create or update a coupon',
      description:
        'Creates the coupon of the `external_id`, or changes the fields that the body names. While a pending order names ' +
        'the coupon, the fields stay that `PATCH /coupons/{id}` lists.',
      problems: ['already_exists', 'forbidden', 'invalid_state', 'resource_in_use'],
      run: (coupons, request) => coupons.upsert(request),
    },
    update: {
      id: 'updateCoupon',
      summary: 'Update a coupon',
      description:
        'JSON Merge Patch (RFC 7396): absent fields stay, null clears. `discount` is replaced as a whole. After the first ' +
        'redemption, `code` and `discount` cannot change. While a pending order names the coupon, these, `duration`, ' +
        '`duration_months`, `applies_to` and `min_order` stay, and the time of the order stays between `starts_at` ' +
        'and `expires_at`.',
      problems: ['already_exists', 'forbidden', 'invalid_state', 'resource_in_use'],
      tool: {
        description:
          'Changes the given members of a coupon: absent ones stay, null clears, and code and discount are fixed after the ' +
          'first redemption. Use it to extend or limit a coupon, for owners and admins.',
      },
      run: (coupons, { principal, body, tx, ...key }) => coupons.patch(principal, key, body, tx),
    },
    actions: {
      deactivate: {
        id: 'deactivateCoupon',
        summary: 'Deactivate a coupon',
        description:
          'Orders can no longer redeem the coupon. Its redemptions stay. Deactivating twice changes nothing.',
        ends: true,
        problems: ['forbidden'],
        tool: {
          description:
            'Stops a coupon of any state from being redeemed, for owners and admins. Use it to end an offer early; ' +
            'reactivate_coupon undoes it.',
        },
        run: (coupons, { principal, tx, ...key }) => coupons.setActive(principal, key, false, tx),
      },
      reactivate: {
        id: 'reactivateCoupon',
        summary: 'Reactivate a coupon',
        description: 'Undoes a deactivation. The coupon has the state that its time and its redemptions give it.',
        problems: ['forbidden'],
        tool: {
          description:
            'Lets orders redeem a deactivated coupon again, within its time and limits. Use it to undo deactivate_coupon, ' +
            'for owners and admins.',
        },
        run: (coupons, { principal, tx, ...key }) => coupons.setActive(principal, key, true, tx),
      },
    },
    delete: {
      id: 'deleteCoupon',
      summary: 'Delete a coupon',
      description: 'For good, and only a coupon that was never redeemed and that no pending order names.',
      problems: ['resource_in_use', 'forbidden'],
      tool: {
        description:
          'Deletes a coupon that was never redeemed and that no pending order names; any other is refused with ' +
          'resource_in_use. Use it for a mistake, for owners and admins; deactivate_coupon ends an offer.',
      },
      run: (coupons, { principal, tx, ...key }) => coupons.remove(principal, key, tx),
    },
  },
});
