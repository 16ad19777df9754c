import { SiteStores } from '@lyceum/collections';
import type { SiteStore } from '@lyceum/collections';
import type { Principal } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { MembershipPlan } from './membership-plan.entity.js';
import { LISTED_MEMBERSHIP_PLANS, MEMBERSHIP_PLAN_PARTS } from './membership-plan.listing.js';
import { MembershipPlanRepository } from './membership-plan.repository.js';
import { membershipPlan as resource } from './membership-plan.schema.js';
import type { MembershipPlanDeclaration, MembershipPlanListQuery } from './membership-plan.schema.js';

type Site = Pick<Principal, 'site_id'>;

const ROWS = { entity: MembershipPlan, resource, computed: MEMBERSHIP_PLAN_PARTS } as const;

@Injectable()
export class MembershipPlanService {
  readonly #plans: SiteStore<MembershipPlan, never>;
  readonly #listed: SiteStore<MembershipPlan, never>;

  constructor(
    stores: SiteStores,
    private readonly repository: MembershipPlanRepository,
    private readonly outbox: Outbox,
  ) {
    this.#plans = stores.of(ROWS);
    this.#listed = stores.of({ ...ROWS, fence: () => ({ condition: LISTED_MEMBERSHIP_PLANS }) });
  }

  list(site: Site, query: MembershipPlanListQuery): Promise<Page<MembershipPlan>> {
    return this.#plans.list(site, query);
  }

  get(site: Site, id: string): Promise<MembershipPlan> {
    return this.#plans.get(site, id);
  }

  /** By name. */
  listListed(
    site: Site,
    query: { readonly limit: number; readonly cursor: string | undefined },
  ): Promise<Page<MembershipPlan>> {
    return this.#listed.list(site, { ...query, sort: 'name', include_total: false });
  }

  async getListed(site: Site, slug: string): Promise<MembershipPlan> {
    return (await this.#listed.find(site, { slug })) ?? this.#listed.missing();
  }

  /** Creates the plan unless the site has one with the slug. */
  declare(site: Site, declared: MembershipPlanDeclaration): Promise<void> {
    return this.outbox.transaction((tx) => this.repository.insert(tx, site, declared));
  }
}
