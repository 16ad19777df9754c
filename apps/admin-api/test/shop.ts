import type { TestApi } from './admin-api.js';
import { Checkout } from './checkout.js';
import { CouponSeller } from './coupon-seller.js';
import { TestEvent } from './new-events.js';
import { newMembershipPlan } from './new-membership-plan.js';
import { publishedProduct } from './new-product.js';

type Body = Record<string, unknown>;
type Made = Awaited<ReturnType<Checkout['record']>>;

/** A line of an order. Without an amount it costs 1000. */
export interface Line extends Body {
  readonly item_type: string;
  readonly item: { readonly id: string };
}

/** A checkout with something of each type to sell. */
export class Shop {
  private constructor(readonly checkout: Checkout) {}

  static async open(api: TestApi): Promise<Shop> {
    return new Shop(await Checkout.open(api));
  }

  /** Runs the service while the tests of a file run. */
  static ofFile(): Shop {
    return new Shop(Checkout.ofFile());
  }

  get api(): TestApi {
    return this.checkout.api;
  }

  get coupons(): CouponSeller {
    return new CouponSeller(this.api);
  }

  async membership(body: Body = {}) {
    const plan = await newMembershipPlan(this.api, body);
    const line: Line = { item_type: 'membership_plan', item: { id: plan.prices[0]?.id ?? '' } };
    return { path: plan.path, id: plan.id, line };
  }

  async seat(body: Body = {}, event?: TestEvent) {
    const of = event ?? (await TestEvent.open(this.api));
    const id = await of.ticket({ price: { amount_minor: 1000, currency: 'TWD' }, ...body });
    const line: Line = { item_type: 'ticket', item: { id } };
    return { event: of, id, line };
  }

  async product() {
    const { id } = await publishedProduct(this.api);
    const line: Line = { item_type: 'digital_product', item: { id } };
    return { path: `/api/v1/digital_products/${id}`, line };
  }

  async coursePlan(course_id?: string) {
    const plan = await this.checkout.newPlan({}, course_id);
    const line: Line = { item_type: 'course_plan', item: { id: plan.id } };
    return { ...plan, line };
  }

  /** Records a paid order of one line each. */
  sell(student_id: string, lines: readonly Line[], given: Body = {}): Promise<Made> {
    return this.checkout.record(this.checkout.order(student_id, lines, given));
  }

  /** Members of an order of one line, with the discount of its coupon. */
  discounted(coupon_code: string, discount_minor: number, total = 1000): Body {
    return { coupon_code, discount_minor, total_minor: total - discount_minor };
  }

  async read(path: string): Promise<Body> {
    return (await this.api.send('GET', path)).body;
  }

  async subscription(id: string | null | undefined): Promise<Body> {
    return this.read(`/api/v1/subscriptions/${id ?? ''}`);
  }
}
