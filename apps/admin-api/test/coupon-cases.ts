import { randomUUID } from 'node:crypto';
import type { Cases, Json } from '@lyceum/collections/conventions';
import { scopesOf } from './course-cases.js';
import { student } from './student-body.js';
import { ADMINISTRATORS } from './unfenced.js';

const NONE = '019ab3c0-0000-7000-8000-000000000000';

/** A repeating coupon, because the number of its months has limits. */
const coupon = (unique: string): Json => ({
  name: `Coupon ${unique}`,
  code: unique.toUpperCase(),
  discount: { kind: 'percentage', percent: 10 },
  duration: 'repeating',
  duration_months: 3,
  min_order: { amount_minor: 100, currency: 'TWD' },
  external_id: unique,
});

const coupons: Cases = {
  create: coupon,
  patch: { name: 'Renamed', max_redemptions: 5, min_order: { amount_minor: 200 }, metadata: { a: 'b' } },
  unique: ['code', 'external_id'],
  readOnly: ['active', 'state', 'redeemed_count'],
  states: {
    member: 'state',
    initial: 'active',
    moves: {
      deactivate: { active: 'deactivated', deactivated: 'deactivated' },
      reactivate: { deactivated: 'active', active: 'active' },
    },
  },
  search: ({ code }) => String(code),
  filters: {
    state: [({ state }) => state, 'expired'],
    code: [({ code }) => code, 'NO-SUCH-CODE'],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  unfenced: ADMINISTRATORS,
};

const redemptions: Cases = {
  row: async (unique, other, coupon_id) => ({
    coupon_id,
    order_id: randomUUID(),
    student_id: (await other('/api/v1/students', student(unique)))['id'],
    discount_amount_minor: 100,
    discount_currency: 'TWD',
    discounts: '[100]',
    redeemed_at: new Date().toISOString(),
  }),
  table: 'coupon_redemptions',
  distinct: ['order_id'],
  readOnly: [],
  filters: { student_id: [({ student_id }) => student_id, NONE] },
  parent: { collection: 'coupons', create: coupon },
  scopes: { 'GET /api/v1/coupons/{coupon_id}/redemptions': 'coupons:read' },
  personal: true,
  unfenced: ADMINISTRATORS,
};

const { parent: _coupon, ...redemptionFacts } = redemptions;
const redemptionsOfCoupons: Cases = {
  ...redemptionFacts,
  row: async (unique, other) => {
    const { id } = await other('/api/v1/coupons', coupon(unique));
    return redemptions.row?.(unique, other, String(id)) ?? {};
  },
  filters: { ...redemptions.filters, coupon_id: [({ coupon_id }) => coupon_id, NONE] },
  scopes: scopesOf('coupon_redemptions', 'coupons'),
};

/** Facts of coupons. Their other routes have rules in coupons.spec.ts. */
export const couponCases: Readonly<Record<string, Cases>> = {
  coupons,
  'coupons/redemptions': redemptions,
  coupon_redemptions: redemptionsOfCoupons,
};
