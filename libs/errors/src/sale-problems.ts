import type { CodeEntry } from './code-entry.js';

/** The codes of sales: what is not sold, and why an order cannot redeem a coupon. */
export const SALE_PROBLEMS = {
  not_for_sale: {
    title: 'The item is not for sale',
    meaning: 'The item that a sale names is a draft, was archived or was withdrawn.',
    remedy: 'Sell another item, or put this one on sale first.',
  },
  sold_out: {
    title: 'The item is sold out',
    meaning: 'The item that a sale names was sold as often as its quantity allows.',
    remedy: 'Raise the quantity of the item, or sell another one.',
  },
  coupon_not_found: {
    title: 'The coupon does not exist',
    meaning: 'The site has no coupon with the code.',
    remedy: 'Check the spelling of the code. Upper and lower case are the same.',
  },
  coupon_inactive: {
    title: 'The coupon is not active',
    meaning: 'The coupon is deactivated, or its time has not begun.',
    remedy: 'Reactivate the coupon, or redeem it from `starts_at` on.',
  },
  coupon_expired: {
    title: 'The coupon has expired',
    meaning: 'The time of the coupon ended at `expires_at`.',
    remedy: 'Use another coupon, or extend this one.',
  },
  coupon_exhausted: {
    title: 'The coupon is exhausted',
    meaning: 'All redemptions of the coupon are used.',
    remedy: 'Use another coupon, or raise `max_redemptions`.',
  },
  coupon_limit_reached: {
    title: 'The student has used the coupon',
    meaning: 'The student has redeemed the coupon as often as `max_per_member` allows.',
    remedy: 'Use another coupon.',
  },
  coupon_min_order: {
    title: 'The order is too small for the coupon',
    meaning: 'The sum of the order is below `min_order` of the coupon.',
    remedy: 'Add items to the order, or leave the coupon out.',
  },
  coupon_not_applicable: {
    title: 'The coupon does not apply to the order',
    meaning: 'The coupon covers no item of the order, or is for another currency.',
    remedy: 'Use a coupon for one of the items, in the currency of the order.',
  },
} satisfies Record<string, CodeEntry>;
