import type { OfSite } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MembershipPlanService } from '#src/membership-plans/membership-plan.service.js';
import { SubscriptionService } from '#src/subscriptions/subscription.service.js';
import type { Fulfillment, LockedItem, Sale, Sold } from './fulfillment.js';
import { oneByOne } from './fulfillment.policy.js';

/** Starts a subscription at a price of a membership plan, or gives the next period of the one that the order renews. */
@Injectable()
export class MembershipPlanFulfillment implements Fulfillment {
  readonly item_type = 'membership_plan';
  readonly items = {
    table: 'membership_plan_prices',
    hasExternalId: false,
    parent: 'plan_id',
    withdrawn: `(not active or exists (select 1 from membership_plans m
      where m.site_id = membership_plan_prices.site_id and m.id = membership_plan_prices.plan_id
        and m.state = 'archived'))`,
  };
  readonly countable = false;

  constructor(
    private readonly subscriptions: SubscriptionService,
    private readonly plans: MembershipPlanService,
  ) {}

  /** Locks the plan of each price: a sale locks the plan before its courses. */
  async lock(site: OfSite, items: readonly LockedItem[], tx: EntityManager): Promise<readonly string[]> {
    const courses: string[] = [];
    for (const { id } of items) courses.push(...(await this.plans.openTerms(tx, site, id)).course_ids);
    return courses;
  }

  sell(site: OfSite, sales: readonly Sale[], tx: EntityManager): Promise<readonly string[]> {
    return oneByOne(sales, (sale) => this.#sell(site, sale, tx));
  }

  async takeBack(site: OfSite, { order_id }: Sold, tx: EntityManager): Promise<boolean> {
    await this.subscriptions.takeBack(site, { order_id }, tx);
    return true;
  }

  async #sell(
    site: OfSite,
    { item_id: price_id, subscription_id, order_id, student_id, at, ordered_at }: Sale,
    tx: EntityManager,
  ): Promise<{ id: string }> {
    const sale = { price_id, order_id, student_id, at, ordered_at };
    if (subscription_id === null) return this.subscriptions.sell(site, sale, tx);
    await this.subscriptions.renew(site, { subscription_id, order_id, at, failed_order_at: null }, tx);
    return { id: subscription_id };
  }
}
