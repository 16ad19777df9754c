import { SiteStores } from '@lyceum/collections';
import type { Caller, SiteStore } from '@lyceum/collections';
import { listBelow } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { CouponRedemption } from './coupon-redemption.entity.js';
import { couponRedemption as resource } from './coupon-redemption.schema.js';
import type { CouponRedemptionListQuery } from './coupon-redemption.schema.js';
import { CouponService } from './coupon.service.js';

/** Reads the redemptions of coupons. They name students by id alone, so the removal of a student leaves them. */
@Injectable()
export class CouponRedemptionService {
  readonly #redemptions: SiteStore<CouponRedemption, never>;

  constructor(
    stores: SiteStores,
    private readonly coupons: CouponService,
  ) {
    this.#redemptions = stores.of({ entity: CouponRedemption, resource });
  }

  /** Lists the redemptions of a coupon. Without `of`: those of all coupons. */
  async list(
    caller: Caller,
    query: CouponRedemptionListQuery,
    of?: { readonly coupon_id: string },
  ): Promise<Page<CouponRedemption>> {
    requireAdministrator(caller, 'see its coupons');
    return listBelow(this.#redemptions.list(caller, query, of), () => of && this.coupons.get(caller, of.coupon_id));
  }

  async get(caller: Caller, id: string): Promise<CouponRedemption> {
    requireAdministrator(caller, 'see its coupons');
    return this.#redemptions.get(caller, id);
  }
}
