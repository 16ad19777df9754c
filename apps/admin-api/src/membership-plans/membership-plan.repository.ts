import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Where, listStatement, pageStatement } from '@lyceum/rest';
import type { Money, Position } from '@lyceum/rest';
import type { MembershipPlanListQuery } from './membership-plan.api.schema.js';
import { LISTED_MEMBERSHIP_PLANS } from './membership-plan.listing.js';
import type { INTERVALS, MembershipPlanDeclaration } from './membership-plan.schema.js';

interface Site {
  readonly site_id: string;
}

/** A row of `membership_plans`, without the long text. */
export interface MembershipPlanSummary {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly plan_type: MembershipPlanDeclaration['plan_type'];
  readonly state: 'draft' | 'active' | 'archived';
  readonly visible: boolean;
  readonly ends_at: Date | null;
  readonly quantity: number | null;
  readonly sold_count: number;
  /** In their order. */
  readonly prices: readonly {
    readonly interval: (typeof INTERVALS)[number] | null;
    readonly interval_count: number;
    readonly price: Money;
    readonly trial_days: number;
  }[];
  /** Published ones. */
  readonly courses_count: number;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export type MembershipPlan = MembershipPlanSummary & {
  readonly description_html: string | null;
  readonly course_ids: readonly string[];
};

const SUMMARY = `id, slug, name, plan_type, state, visible, ends_at, quantity, sold_count, version, created_at, updated_at,
  (select coalesce(json_agg(json_build_object('interval', p.billing_interval, 'interval_count', p.interval_count,
      'price', json_build_object('amount_minor', p.price_amount_minor, 'currency', p.price_currency),
      'trial_days', p.trial_days) order by p.position), '[]')
    from membership_plan_prices p where p.site_id = membership_plans.site_id and p.plan_id = membership_plans.id) as prices,
  (select count(*)::int from membership_plan_courses mc
    join courses c on c.site_id = mc.site_id and c.id = mc.course_id and c.state = 'published'
    where mc.site_id = membership_plans.site_id and mc.plan_id = membership_plans.id) as courses_count`;

const COLUMNS = `${SUMMARY}, description_html,
  array(select course_id from membership_plan_courses mc
    where mc.site_id = membership_plans.site_id and mc.plan_id = membership_plans.id order by course_id) as course_ids`;

@Injectable()
export class MembershipPlanRepository {
  constructor(private readonly sql: Sql) {}

  list(
    site: Site,
    query: MembershipPlanListQuery,
    after: Position | undefined,
  ): Promise<(MembershipPlanSummary & { total_count?: number })[]> {
    const where = new Where(site).and('state = ?', query.state);
    where.words(`(name || ' ' || slug)`, query.q);
    where.range('created_at', query);
    const statement = listStatement({ columns: SUMMARY, table: 'membership_plans', where }, query, after);
    return this.sql.query(statement, statement.values);
  }

  async find(site: Site, id: string): Promise<MembershipPlan | undefined> {
    const [row] = await this.sql.query<MembershipPlan>(
      {
        name: 'membership_plans_find',
        text: `select ${COLUMNS} from membership_plans where site_id = $1 and id = $2`,
      },
      [site.site_id, id],
    );
    return row;
  }

  /** By name. */
  listListed(site: Site, limit: number, after: Position | undefined): Promise<MembershipPlanSummary[]> {
    const statement = pageStatement({
      columns: SUMMARY,
      table: 'membership_plans',
      where: new Where(site).also(LISTED_MEMBERSHIP_PLANS),
      sort: { column: 'name', type: 'text' },
      descending: false,
      after,
      limit,
      withTotal: false,
    });
    return this.sql.query(statement, statement.values);
  }

  async findListed(site: Site, slug: string): Promise<MembershipPlan | undefined> {
    const [row] = await this.sql.query<MembershipPlan>(
      {
        name: 'membership_plans_find_listed',
        text: `select ${COLUMNS} from membership_plans
               where site_id = $1 and slug = $2 and ${LISTED_MEMBERSHIP_PLANS}`,
      },
      [site.site_id, slug],
    );
    return row;
  }

  /** Nothing when the slug is taken at the site. Courses that the site does not have are left out. */
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
       select $1, $2, p.interval, p.interval_count, (p.price ->> 'amount_minor')::int, p.price ->> 'currency',
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
