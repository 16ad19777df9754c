import type { OfSite } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CouponService } from '#src/coupons/coupon.service.js';
import { SubscriptionService } from '#src/subscriptions/subscription.service.js';
import type { Order, OrderLine } from './order.entity.js';
import type { FoundItem } from './order.repository.js';
import {
  ofCoupon,
  refuseInterval,
  refuseSubscription,
  requireDiscounts,
  requireRenewal,
} from './order-terms.policy.js';

type Renewing = Pick<Order, 'student_id' | 'subscription_id'>;

interface Ordered extends Pick<
  Order,
  'site_id' | 'id' | 'student_id' | 'subscription_id' | 'currency' | 'coupon_code' | 'discount_minor'
> {
  readonly line_items: readonly OrderLine[];
  readonly at: Date;
  /** When the order was recorded as pending. Undefined: it was paid at once. */
  readonly ordered_at: Date | undefined;
}

/** The coupon that an order redeems and the subscription that it renews. */
@Injectable()
export class OrderTermsService {
  constructor(
    private readonly coupons: CouponService,
    private readonly subscriptions: SubscriptionService,
  ) {}

  /** @throws `not_found` for a subscription that the student does not have, `validation_failed` for other lines */
  async requireRenewal(
    site: OfSite,
    { student_id, subscription_id }: Renewing,
    items: readonly FoundItem[],
    tx: EntityManager,
  ): Promise<void> {
    if (subscription_id === null) return;
    const subscription = await this.subscriptions.referred(site, subscription_id, tx);
    if (subscription?.student_id !== student_id) return refuseSubscription();
    requireRenewal(items, subscription);
  }

  /** @throws `validation_failed` for a renewal at a price of another interval. One that was recorded can still fail. */
  async requireInterval(
    site: OfSite,
    { subscription_id }: Pick<Renewing, 'subscription_id'>,
    items: readonly FoundItem[],
    tx: EntityManager,
  ): Promise<void> {
    const index = items.findIndex(({ item_type }) => item_type === 'membership_plan');
    const price_id = items[index]?.id;
    if (subscription_id === null || price_id === undefined) return;
    if (!(await this.subscriptions.hasInterval(site, { subscription_id, price_id }, tx))) refuseInterval(index);
  }

  /** Records that the payment of a renewal failed. The student is locked. */
  async fail(
    site: OfSite,
    {
      id: order_id,
      subscription_id,
      created_at: failed_order_at,
    }: Pick<Order, 'id' | 'subscription_id' | 'created_at'>,
    tx: EntityManager,
  ): Promise<void> {
    if (subscription_id === null) return;
    await this.subscriptions.renew(site, { subscription_id, order_id, at: new Date(), failed_order_at }, tx);
  }

  /** Keeps the coupon of a pending order as it is until the order is stored. */
  async keep(site: OfSite, { coupon_code }: Pick<Order, 'coupon_code'>, tx: EntityManager): Promise<void> {
    if (coupon_code !== null) await this.coupons.keep(site, coupon_code, tx);
  }

  /**
   * Redeems the coupon of an order. The student and the order are locked.
   *
   * @throws `validation_failed` when the order has other discounts than the coupon gives; the refusals of coupons
   */
  async redeem(order: Ordered, items: readonly FoundItem[], tx: EntityManager): Promise<void> {
    const { site_id, id: order_id, student_id, subscription_id, currency, coupon_code, line_items } = order;
    const { at, ordered_at } = order;
    if (coupon_code === null) return;
    const lines = line_items.map(({ item_type, item_id, amount_minor }, index) => ({
      item_type,
      item_id,
      amount_minor,
      parent_id: items[index]?.parent_id ?? undefined,
    }));
    const renews = subscription_id === null ? undefined : await this.subscriptions.payments(order, subscription_id, tx);
    const redeeming = { code: coupon_code, student_id, order_id, currency, lines, at, ordered_at, renews };
    const redeemed = await this.coupons.redeem({ site_id }, redeeming, tx).catch((error: unknown) => {
      throw ofCoupon(error);
    });
    requireDiscounts(order, redeemed);
  }

  /** Gives the redemption of a locked order back. Call it before other locks, as a record takes them. */
  async restore(
    site: OfSite,
    { id: order_id, coupon_code }: Pick<Order, 'id' | 'coupon_code'>,
    tx: EntityManager,
  ): Promise<void> {
    if (coupon_code !== null) await this.coupons.restore(site, { order_id }, tx);
  }
}
