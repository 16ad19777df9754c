import { readOnly, resource } from '@lyceum/collections';
import type { ListQueryOf } from '@lyceum/collections';
import { idIn, instantOut, money } from '@lyceum/rest';
import { z } from 'zod';

const EXAMPLE = {
  id: '019ab3d0-8d80-7b82-9d93-ae04f1506600',
  coupon_id: '019ab3d0-7c70-7a71-8c82-9d93e04f5500',
  order_id: '019ab3d0-9e90-7c93-8ea4-bf15f2617700',
  student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
  discount: { amount_minor: 25_000, currency: 'TWD' },
  redeemed_at: '2026-11-20T08:00:00.000Z',
  restored_at: null,
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const couponRedemption = resource('CouponRedemption', {
  one: 'redemption',
  fields: {
    coupon_id: readOnly(z.uuid()),
    order_id: readOnly(z.uuid()),
    student_id: readOnly(z.uuid()),
    discount: readOnly(money.meta({ description: 'Taken from the order' })),
    redeemed_at: readOnly(instantOut.meta({ description: 'When the student ordered' })),
    restored_at: readOnly(
      instantOut.nullable().meta({ description: 'When a full refund gave the redemption back; null: it counts' }),
    ),
  },
  sorts: ['-created_at', '-updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: {
    coupon_id: idIn.meta({ description: 'Only redemptions of this coupon' }),
    student_id: idIn.meta({ description: 'Only redemptions of this student' }),
  },
  examples: { object: EXAMPLE },
});
export type CouponRedemptionListQuery = ListQueryOf<typeof couponRedemption>;
