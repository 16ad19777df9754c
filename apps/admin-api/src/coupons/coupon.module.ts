import { collectionModule } from '@lyceum/collections';
import type { CollectionModule } from '@lyceum/collections';
import { routesOf } from '@lyceum/rest';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { CouponCodesController } from './coupon-codes.controller.js';
import { CouponGenerator } from './coupon-generator.js';
import { couponRedemptionCollection, redemptionOfCouponCollection } from './coupon-redemption.operations.js';
import { CouponClock } from './coupon.clock.js';
import { couponCollection } from './coupon.operations.js';
import { CouponRepository } from './coupon.repository.js';
import { GenerateCouponsTools } from './generate-coupons.tools.js';

const collection = collectionModule({
  imports: [SchoolSettingsModule],
  operations: [couponCollection, couponRedemptionCollection, redemptionOfCouponCollection],
  providers: [CouponRepository, CouponClock, CouponGenerator, GenerateCouponsTools],
});

const controllers = [CouponCodesController];

export const CouponModule: CollectionModule = {
  ...collection,
  controllers,
  routes: [...collection.routes, ...routesOf(controllers)],
};
