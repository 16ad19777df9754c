import type { OfSite } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireForSale } from '#src/course-plans/course-plan.policy.js';
import { CoursePlanService } from '#src/course-plans/course-plan.service.js';
import { AccessService } from '#src/enrollments/access.service.js';
import type { LockedPlaces } from '#src/enrollments/access.service.js';
import type { Fulfillment, LockedItem, Sale, Sold } from './fulfillment.js';
import { atLine, buyerOf, requireNewGrant } from './fulfillment.policy.js';

/** Gives access to the course of a plan, until the end that the plan sets. */
@Injectable()
export class CoursePlanFulfillment implements Fulfillment {
  readonly item_type = 'course_plan';
  readonly items = {
    table: 'course_plans',
    hasExternalId: true,
    parent: 'course_id',
    withdrawn: `(not active or exists (select 1 from courses c
      where c.site_id = course_plans.site_id and c.id = course_plans.course_id and c.state = 'archived'))`,
  };
  readonly countable = false;
  readonly isPlan = true;

  constructor(
    private readonly plans: CoursePlanService,
    private readonly access: AccessService,
  ) {}

  /** The lock of the course is that of its plans. A plan stays in its course. */
  async lock(site: OfSite, items: readonly LockedItem[], tx: EntityManager): Promise<readonly string[]> {
    const unread = items.filter((item) => typeof item.parent_id !== 'string').map(({ id }) => id);
    const plans = await this.plans.terms(tx, site, unread);
    return items.map(({ id, parent_id }) => parent_id ?? known(plans.get(id)).course_id);
  }

  async sell(
    site: OfSite,
    sales: readonly Sale[],
    tx: EntityManager,
    locked: LockedPlaces,
  ): Promise<readonly string[]> {
    const courses = new Map<number, string>();
    const { student_id, wasPending, each } = buyerOf(sales);
    const list = sales.map(({ position, order_id: source_id, item_id: plan_id, at: starts_at }) => {
      const { course_id } = atLine(position, () => {
        const plan = known(locked.terms.get(plan_id));
        requireForSale(plan, starts_at, wasPending);
        return plan;
      });
      requireNewGrant(position, course_id, courses);
      courses.set(position, course_id);
      return { source: 'order', source_id, course_id, plan_id, starts_at, wasPending } as const;
    });
    const given = await this.access.give(site, { student_id, locked, each }, list, tx);
    return given.map(({ row }, index) => {
      const grant = row.grants.find(({ source_id }) => source_id === list[index]?.source_id);
      return grant?.id ?? row.id;
    });
  }

  async takeBack(site: OfSite, { order_id, item_id }: Sold, tx: EntityManager): Promise<boolean> {
    const { course_id } = known((await this.plans.terms(tx, site, [item_id])).get(item_id));
    await this.access.takeBack(site, { source: 'order', source_id: order_id, course_id }, tx);
    return true;
  }
}

/** @throws `not_found` for a plan that was deleted meanwhile; a plan with grants never is */
function known<P>(plan: P | undefined): P {
  if (plan === undefined) throw new ApiError('not_found', 'This site has no such plan');
  return plan;
}
