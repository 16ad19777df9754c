import { z } from 'zod';
import { defineEntityEvents } from '../platform/event.js';
import { instantSchema } from '../platform/instant.js';
import { externalIdOfObject } from './command-values.js';

/** A coupon that reduces the price of orders. Its redemptions leave its version. */
export const couponEvents = defineEntityEvents({
  context: 'school',
  entity: 'coupon',
  version: 1,
  names: ['created', 'updated', 'deactivated', 'reactivated', 'redeemed', 'deleted', 'republished'],
  data: z.object({
    coupon_id: z.uuid(),
    site_id: z.uuid(),
    external_id: externalIdOfObject,
    name: z.string(),
    /** As the school writes it. */
    code: z.string(),
    state: z.enum(['active', 'deactivated', 'deleted']),
    /** Null: at once. */
    starts_at: instantSchema.nullable(),
    /** Null: never. */
    expires_at: instantSchema.nullable(),
    /** Set in `redeemed`. */
    redemption: z
      .object({
        redemption_id: z.uuid(),
        order_id: z.uuid(),
        student_id: z.uuid(),
        discount_minor: z.int().nonnegative(),
        currency: z.string(),
        redeemed_at: instantSchema,
      })
      .nullable()
      .default(null),
  }),
});
