import { View } from '@lyceum/collections';
import { Routes, objectResponse } from '@lyceum/rest';
import type { ApiResponse, ListQuery, RouteRequest } from '@lyceum/rest';
import { Controller } from '@nestjs/common';
import { CouponGenerator } from './coupon-generator.js';
import { shownCoupon } from './coupon.operations.js';
import { coupon, couponGeneration, generatedCouponsResponse } from './coupon.schema.js';
import type { CouponGeneration } from './coupon.schema.js';
import { CouponService } from './coupon.service.js';

const PATH = '/api/v1/coupons';
const view = new View(shownCoupon);

/** Routes of coupons by their codes, which are no operations of collections. */
@Routes([
  {
    method: 'get',
    path: `${PATH}/by_code/{code}`,
    parameters: ['code'],
    scopes: ['coupons:read'],
    query: coupon.getQuery,
    body: undefined,
    operation: {
      id: 'getCouponByCode',
      summary: 'Get a coupon by its code',
      description: 'Returns a coupon of any state. Upper and lower case of the code are the same.',
      responses: { 200: { description: 'The coupon', schema: coupon.object } },
      problems: ['forbidden'],
    },
    respond: (controller: CouponCodesController, request) => controller.find(request),
  },
  {
    method: 'post',
    path: `${PATH}/generate`,
    parameters: [],
    scopes: ['coupons:write'],
    query: undefined,
    body: couponGeneration,
    operation: {
      id: 'generateCoupons',
      summary: 'Generate coupons',
      description:
        'Creates up to 200 coupons with the same terms, or none. Each code is the `prefix` and ten random letters and ' +
        'digits without those that look alike. Needs the role owner or admin.',
      responses: { 200: { description: 'The new coupons', schema: generatedCouponsResponse } },
      conditional: false,
      problems: ['forbidden'],
    },
    respond: (controller: CouponCodesController, request) => controller.generate(request),
  },
])
@Controller()
export class CouponCodesController {
  constructor(
    private readonly coupons: CouponService,
    private readonly generator: CouponGenerator,
  ) {}

  async find({ principal, parameters, query }: RouteRequest): Promise<ApiResponse> {
    const row = await this.coupons.getByCode(principal, parameters['code'] ?? '');
    return objectResponse(view.object(row), view.headers(row), query as Pick<ListQuery, 'fields'>);
  }

  generate({ principal, write, body }: RouteRequest): Promise<ApiResponse> {
    if (write === undefined) throw new Error('POST is a write');
    return this.generator.run(principal, write, body as CouponGeneration);
  }
}
