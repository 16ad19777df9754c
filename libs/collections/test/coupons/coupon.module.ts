import { collectionModule } from '@lyceum/collections';
import { Coupon } from './coupon.entity.js';
import { Coupons1764000000000 } from './coupon.migration.js';
import { couponCollection } from './coupon.operations.js';
import { CouponService } from './coupon.service.js';

export const CouponModule = collectionModule({
  operations: [couponCollection],
  services: [CouponService],
  entities: [Coupon],
  migrations: [Coupons1764000000000],
});
