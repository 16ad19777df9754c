import type { Principal } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import { Pager, cleanDescription } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import type { MembershipPlanListQuery } from './membership-plan.api.schema.js';
import { MembershipPlanRepository } from './membership-plan.repository.js';
import type { MembershipPlan, MembershipPlanSummary } from './membership-plan.repository.js';
import type { MembershipPlanDeclaration } from './membership-plan.schema.js';

type Site = Pick<Principal, 'site_id'>;

@Injectable()
export class MembershipPlanService {
  constructor(
    private readonly plans: MembershipPlanRepository,
    private readonly pager: Pager,
    private readonly outbox: Outbox,
  ) {}

  list(principal: Principal, query: MembershipPlanListQuery): Promise<Page<MembershipPlanSummary>> {
    const list = { collection: 'membership_plans', site_id: principal.site_id };
    return this.pager.page(list, query, (after) => this.plans.list(principal, query, after));
  }

  async get(principal: Principal, id: string): Promise<MembershipPlan> {
    const row = await this.plans.find(principal, id);
    if (row === undefined) throw new Outcome('not_found', 'There is no such membership plan at this site');
    return row;
  }

  listListed(
    site: Site,
    query: { readonly limit: number; readonly cursor: string | undefined },
  ): Promise<Page<MembershipPlanSummary>> {
    const list = { collection: 'membership_plans/public', site_id: site.site_id };
    return this.pager.page(list, { ...query, sort: 'name' }, (after) =>
      this.plans.listListed(site, query.limit, after),
    );
  }

  async getListed(site: Site, slug: string): Promise<MembershipPlan> {
    const plan = await this.plans.findListed(site, slug);
    if (plan === undefined) throw new Outcome('not_found', 'There is no such membership plan at this site');
    return plan;
  }

  /** Makes the plan unless the site has one of that slug. */
  declare(site: Site, declared: MembershipPlanDeclaration): Promise<void> {
    const html = declared.description_html;
    const description_html = html === null ? null : cleanDescription(html);
    return this.outbox.transaction((tx) => this.plans.insert(tx, site, { ...declared, description_html }));
  }
}
