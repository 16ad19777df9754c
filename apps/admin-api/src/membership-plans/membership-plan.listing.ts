import { pendingLines } from '#src/pending-orders/pending-lines.js';

const PENDING_PRICES = pendingLines('in (select id from membership_plan_prices where site_id = $1 and plan_id = $2)');

/** Condition on the plan `$2` of the site `$1`: it is or was for sale, or a pending order names one of its prices. */
export const MEMBERSHIP_PLAN_IN_USE = `state <> 'draft' or ${PENDING_PRICES}`;

/** Condition on `membership_plans`: plans that are for sale to everyone. */
export const LISTED_MEMBERSHIP_PLANS = `state = 'active' and visible and (ends_at is null or ends_at > now())
  and (access_ends_at is null or access_ends_at > now())`;

/** The searched text, exactly as the index has it. */
export const MEMBERSHIP_PLAN_TEXT = `(name || ' ' || slug)`;

/** One row `p` of `membership_plan_prices` as the API shows it. */
export const PLAN_PRICE = `
  json_build_object('id', p.id, 'interval', p.billing_interval, 'interval_count', p.interval_count,
    'price', json_build_object('amount_minor', p.price_amount_minor, 'currency', p.price_currency),
    'trial_days', p.trial_days, 'active', p.active)`;

/** Members of a plan from other tables. */
export const MEMBERSHIP_PLAN_PARTS = {
  prices: `
    (select coalesce(json_agg(${PLAN_PRICE} order by p.position), '[]')
      from membership_plan_prices p
      where p.site_id = membership_plans.site_id and p.plan_id = membership_plans.id)`,
  course_ids: `
    array(select course_id from membership_plan_courses mc
      where mc.site_id = membership_plans.site_id and mc.plan_id = membership_plans.id order by course_id)`,
  courses_count: `
    (select count(*)::int from membership_plan_courses mc
      join courses c on c.site_id = mc.site_id and c.id = mc.course_id and c.state = 'published'
      where mc.site_id = membership_plans.site_id and mc.plan_id = membership_plans.id)`,
} as const;
