import { collectionModule } from '@lyceum/collections';
import type { CollectionModule } from '@lyceum/collections';
import { routesOf } from '@lyceum/rest';
import { Coupons1764000245000 } from '#src/migrations/1764000245000-coupons.js';
import { ContinuedRedemptions1764000276000 } from '#src/migrations/1764000276000-continued-redemptions.js';
import { ListsOfRedemptions1764000299001 } from '#src/migrations/1764000299001-lists-of-redemptions.js';
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
  migrations: [Coupons1764000245000, ContinuedRedemptions1764000276000, ListsOfRedemptions1764000299001],
});

const controllers = [CouponCodesController];

export const CouponModule: CollectionModule = {
  ...collection,
  controllers,
  routes: [...collection.routes, ...routesOf(controllers)],
};
