import { defineEntityEvents } from '@lyceum/contracts';
import { z } from 'zod';

export const couponEvents = defineEntityEvents({
  context: 'school',
  entity: 'coupon',
  version: 1,
  names: ['created', 'updated', 'redeemed', 'deactivated', 'reactivated', 'deleted', 'republished'],
  data: z.object({
    coupon_id: z.uuid(),
    site_id: z.uuid(),
    code: z.string(),
    active: z.boolean(),
    redeemed_count: z.int(),
  }),
});
