import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { MembershipPlanDeclaration } from './membership-plan.schema.js';

interface Site {
  readonly site_id: string;
}

@Injectable()
export class MembershipPlanRepository {
  /** Inserts nothing when the slug is taken at the site. Skips courses that the site does not have. */
  async insert(tx: EntityManager, site: Site, plan: MembershipPlanDeclaration): Promise<void> {
    const [row] = await tx.query<{ id: string }[]>(
      `insert into membership_plans (site_id, slug, name, description_html, plan_type, state, visible, ends_at, quantity)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict on constraint membership_plans_slug do nothing
       returning id`,
      [
        site.site_id,
        plan.slug,
        plan.name,
        plan.description_html,
        plan.plan_type,
        plan.state,
        plan.visible,
        plan.ends_at,
        plan.quantity,
      ],
    );
    if (row === undefined) return;
    await tx.query(
      `insert into membership_plan_prices (site_id, plan_id, billing_interval, interval_count, price_amount_minor,
         price_currency, trial_days, position)
       select $1, $2, p.interval, p.interval_count, (p.price ->> 'amount_minor')::bigint, p.price ->> 'currency',
         p.trial_days, p.position
       from rows from (jsonb_to_recordset($3) as ("interval" text, interval_count int, price jsonb, trial_days int))
         with ordinality as p (interval, interval_count, price, trial_days, position)`,
      [site.site_id, row.id, JSON.stringify(plan.prices)],
    );
    await tx.query(
      `insert into membership_plan_courses (site_id, plan_id, course_id)
       select site_id, $2, id from courses where site_id = $1 and slug = any($3)`,
      [site.site_id, row.id, plan.courses],
    );
  }
}
