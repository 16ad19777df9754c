import type { Principal } from '@lyceum/contracts';
import { IdempotentWrites, ItemQuotas, WriteResponse } from '@lyceum/rest';
import type { ApiResponse, Write } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { CouponGeneration } from './coupon.schema.js';
import { CouponService } from './coupon.service.js';

/** Generates coupons for both edges. */
@Injectable()
export class CouponGenerator {
  constructor(
    private readonly coupons: CouponService,
    private readonly writes: IdempotentWrites,
    private readonly quotas: ItemQuotas,
  ) {}

  async run(principal: Principal, write: Write, terms: CouponGeneration): Promise<ApiResponse> {
    await this.quotas.take(principal, terms.count);
    return this.writes.run(principal, write, async (tx) => {
      const made = await this.coupons.generate(principal, terms, tx);
      // The codes of a dry run do not exist, and must not reach a buyer.
      const coupons = made.map(({ id, code }) => (write.dryRun ? { id: null, code: null } : { id, code }));
      return WriteResponse.of({ coupons }, {}, { sent: { coupons: true }, changed: true });
    });
  }
}
