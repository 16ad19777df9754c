import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { pendingLines } from '#src/pending-orders/pending-lines.js';
import type { MembershipPlan } from './membership-plan.entity.js';
import { MEMBERSHIP_PLAN_PARTS, PLAN_PRICE } from './membership-plan.listing.js';
import type { PlanPrice } from './membership-plan.policy.js';

interface RowKey {
  readonly site_id: string;
  readonly id: string;
}

/** The terms of a plan for a sale, with the price that is bought. */
export type PlanTerms = Readonly<
  Pick<
    MembershipPlan,
    | 'site_id'
    | 'name'
    | 'plan_type'
    | 'state'
    | 'ends_at'
    | 'quantity'
    | 'sold_count'
    | 'access_days'
    | 'access_ends_at'
    | 'course_ids'
  >
> & { readonly plan_id: string; readonly price: PlanPrice };

@Injectable()
export class MembershipPlanRepository {
  /** Locks the plan of a price and returns its terms: another statement, because it sees what the lock waited for. */
  async lockTerms(tx: EntityManager, site_id: string, price_id: string): Promise<PlanTerms | undefined> {
    const [plan] = await tx.query<{ id: string }[]>(
      `select id from membership_plans
       where site_id = $1 and id = (select plan_id from membership_plan_prices where site_id = $1 and id = $2)
       for no key update`,
      [site_id, price_id],
    );
    if (plan === undefined) return undefined;
    const [terms] = await tx.query<PlanTerms[]>(
      `select membership_plans.site_id, membership_plans.id as plan_id, name, plan_type, state, ends_at, quantity,
         sold_count, access_days, access_ends_at, ${MEMBERSHIP_PLAN_PARTS.course_ids} as course_ids, ${PLAN_PRICE} as price
       from membership_plans
       join membership_plan_prices p on p.site_id = membership_plans.site_id and p.plan_id = membership_plans.id
       where membership_plans.site_id = $1 and membership_plans.id = $2 and p.id = $3`,
      [site_id, plan.id, price_id],
    );
    return terms;
  }

  /** Adds to the number of sales. Returns false, and adds nothing, when the plan is sold out. */
  async count(tx: EntityManager, { site_id, id }: RowKey, by: 1 | -1): Promise<boolean> {
    const text = `update membership_plans set sold_count = sold_count + $3
      where site_id = $1 and id = $2 and ($3 < 0 or quantity is null or sold_count < quantity) returning 1`;
    const [counted] = await tx.query<unknown[]>(`with counted as (${text}) select 1 from counted`, [site_id, id, by]);
    return counted !== undefined;
  }

  /** Replaces the prices of the locked plan. Those that stay keep their rows. */
  async setPrices(tx: EntityManager, { site_id, id }: RowKey, prices: readonly PlanPrice[]): Promise<void> {
    await tx.query(
      `with listed as (
         select * from rows from (jsonb_to_recordset($3::jsonb) as (id uuid, "interval" text, interval_count int,
           price jsonb, trial_days int, active boolean))
         with ordinality as p (id, "interval", interval_count, price, trial_days, active, position)),
       gone as (
         delete from membership_plan_prices where site_id = $1 and plan_id = $2 and id not in (select id from listed))
       insert into membership_plan_prices (site_id, id, plan_id, billing_interval, interval_count, price_amount_minor,
         price_currency, trial_days, active, position)
       select $1, id, $2, "interval", interval_count, (price ->> 'amount_minor')::bigint, price ->> 'currency', trial_days,
         active, position
       from listed
       on conflict (site_id, id) do update set billing_interval = excluded.billing_interval,
         interval_count = excluded.interval_count, price_amount_minor = excluded.price_amount_minor,
         price_currency = excluded.price_currency, trial_days = excluded.trial_days, active = excluded.active,
         position = excluded.position`,
      [site_id, id, JSON.stringify(prices)],
    );
  }

  /** Replaces the courses of the locked plan. @throws `validation_failed` for an id of no course of the site */
  async setCourses(tx: EntityManager, { site_id, id }: RowKey, ids: readonly string[]): Promise<void> {
    await tx.query('delete from membership_plan_courses where site_id = $1 and plan_id = $2', [site_id, id]);
    if (ids.length === 0) return;
    const named = await tx.query<unknown[]>(
      `insert into membership_plan_courses (site_id, plan_id, course_id)
       select $1, $2, c.id from unnest($3::uuid[]) named (id) join courses c on c.site_id = $1 and c.id = named.id
       for key share of c
       returning 1`,
      [site_id, id, ids],
    );
    if (named.length === ids.length) return;
    throw new ApiError('validation_failed', 'This site has no such course', {
      errors: [{ pointer: '/course_ids', code: 'not_found', detail: 'Each is the id of a course of this site' }],
    });
  }

  /** Returns those of these prices that pending orders name. The caller has locked the plan, and these for deletion. */
  async orderedPrices(tx: EntityManager, { site_id }: RowKey, ids: readonly string[]): Promise<readonly string[]> {
    const found = await tx.query<{ id: string }[]>(
      `select p.id from membership_plan_prices p
       where p.site_id = $1 and p.id = any($2::uuid[]) and ${pendingLines('= p.id')} order by p.position`,
      [site_id, ids],
    );
    return found.map(({ id }) => id);
  }

  /** Waits until pending orders of the prices of a locked plan are recorded, so a deletion sees their lines. */
  async lockPricesForDeletion(tx: EntityManager, { site_id, id }: RowKey): Promise<void> {
    await tx.query('select 1 from membership_plan_prices where site_id = $1 and plan_id = $2 order by id for update', [
      site_id,
      id,
    ]);
  }
}
