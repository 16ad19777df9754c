import { ADDITIVE, dryRun, operatorOf, toolWrite, toolWriteOf } from '@lyceum/rest';
import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { CouponGenerator } from './coupon-generator.js';
import { couponGeneration, generatedCoupons } from './coupon.schema.js';

const DECLARATION = { tool: 'generate_coupons', scopes: ['coupons:write'] } as const;

// The strict mode of some models has no objects with arbitrary members.
const input = couponGeneration.omit({ metadata: true }).extend(toolWrite);
type Input = z.output<typeof input>;

@Injectable()
export class GenerateCouponsTools {
  constructor(private readonly generator: CouponGenerator) {}

  @Tool({
    name: DECLARATION.tool,
    title: 'Generate coupons',
    audience: 'operator',
    scopes: DECLARATION.scopes,
    description:
      'Creates up to 200 coupons with the same terms and random codes behind one prefix, for owners and admins. Use it ' +
      'for vouchers of which each is given to one buyer, with max_redemptions 1.',
    input,
    output: generatedCoupons.extend({ dry_run: dryRun }),
    annotations: ADDITIVE,
  })
  async generate(call: ToolCall<Input>): Promise<unknown> {
    const principal = operatorOf(call);
    const { write, asked } = toolWriteOf(DECLARATION, call);
    const { body } = await this.generator.run(principal, write, { ...asked, metadata: {} });
    return { ...(body as object), dry_run: write.dryRun };
  }
}
