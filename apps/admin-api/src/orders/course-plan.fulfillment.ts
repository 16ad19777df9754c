import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireForSale } from '#src/course-plans/course-plan.policy.js';
import { CoursePlanService } from '#src/course-plans/course-plan.service.js';
import { AccessService } from '#src/enrollments/access.service.js';
import type { Fulfillment, Sale, Site, Sold } from './fulfillment.js';

/** Gives access to the course of a plan, until the end that the plan sets. */
@Injectable()
export class CoursePlanFulfillment implements Fulfillment {
  readonly item_type = 'course_plan';
  readonly items = { table: 'course_plans', hasExternalId: true, parent: 'course_id' };
  readonly countable = false;

  constructor(
    private readonly plans: CoursePlanService,
    private readonly access: AccessService,
  ) {}

  /** The lock of the course is that of its plans. */
  async lock(site: Site, item_ids: readonly string[], tx: EntityManager): Promise<readonly string[]> {
    const plans = await this.plans.terms(tx, site, item_ids);
    return item_ids.map((id) => known(plans.get(id)).course_id);
  }

  async sell(site: Site, { order_id, student_id, item_id, at }: Sale, tx: EntityManager): Promise<{ id: string }> {
    const plan = known((await this.plans.terms(tx, site, [item_id])).get(item_id));
    requireForSale(plan);
    const { course_id } = plan;
    const access = { source: 'order', source_id: order_id, plan_id: item_id, starts_at: at } as const;
    const { row } = await this.access.give(site, { ...access, student_id, course_id }, tx);
    const grant = row.grants.find(({ source_id }) => source_id === order_id);
    return { id: grant?.id ?? row.id };
  }

  async takeBack(site: Site, { order_id, item_id }: Sold, tx: EntityManager): Promise<boolean> {
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
