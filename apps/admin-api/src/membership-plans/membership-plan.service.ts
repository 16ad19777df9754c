import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import { membershipPlanEvents } from '@lyceum/contracts';
import type { OfSite } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { uuidv7 } from '@lyceum/platform';
import { changedColumns, iso } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { Followers } from '#src/followers/followers.js';
import { SchoolService } from '#src/school/school.service.js';
import { MembershipPlan } from './membership-plan.entity.js';
import type { PlanParts } from './membership-plan.entity.js';
import { LISTED_MEMBERSHIP_PLANS, MEMBERSHIP_PLAN_IN_USE, MEMBERSHIP_PLAN_PARTS } from './membership-plan.listing.js';
import {
  lessenedTerms,
  lostPrices,
  moveOf,
  pricesAfter,
  requireEditable,
  requireForSale,
  requireNoLess,
  requireOneCurrency,
  requireRules,
  requireSalesKept,
  requireUnordered,
  slugOf,
  soldOut,
} from './membership-plan.policy.js';
import type { PlanMove } from './membership-plan.policy.js';
import { MembershipPlanRepository } from './membership-plan.repository.js';
import type { PlanTerms } from './membership-plan.repository.js';
import { membershipPlan as resource } from './membership-plan.schema.js';
import type { MembershipPlanCreate, MembershipPlanListQuery, MembershipPlanPatch } from './membership-plan.schema.js';

/** The courses of a plan after a change. */
export interface PlanCourses {
  readonly site_id: string;
  readonly plan_id: string;
  readonly course_ids: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

const ROWS = { entity: MembershipPlan, resource, computed: MEMBERSHIP_PLAN_PARTS } as const;

/** Owners and admins read and change plans. Visitors see those that are for sale. */
@Injectable()
export class MembershipPlanService {
  /**
   * The changed courses of a plan, whose lock the transaction holds. A sale locks the student before the plan, so a
   * follower locks no students: it leaves that to a job.
   */
  readonly changed = new Followers<PlanCourses>();
  readonly #plans: SiteStore<MembershipPlan, typeof membershipPlanEvents>;
  readonly #listed: SiteStore<MembershipPlan, never>;

  constructor(
    stores: SiteStores,
    private readonly repository: MembershipPlanRepository,
    private readonly schools: SchoolService,
  ) {
    this.#plans = stores.of({
      ...ROWS,
      unique: { membership_plans_slug: 'slug', membership_plans_external_id: 'external_id' },
      events: membershipPlanEvents,
      data: (plan, event) => ({
        membership_plan_id: plan.id,
        site_id: plan.site_id,
        slug: plan.slug,
        name: plan.name,
        plan_type: plan.plan_type,
        state: event === 'deleted' ? 'deleted' : plan.state,
        visible: plan.visible,
        ends_at: iso(plan.ends_at),
      }),
    });
    this.#listed = stores.of({ ...ROWS, fence: () => ({ condition: LISTED_MEMBERSHIP_PLANS }) });
  }

  async list(caller: Caller, query: MembershipPlanListQuery): Promise<Page<MembershipPlan>> {
    requireAdministrator(caller, 'see its membership plans');
    return this.#plans.list(caller, query);
  }

  async get(caller: Caller, id: string): Promise<MembershipPlan> {
    requireAdministrator(caller, 'see its membership plans');
    return this.#plans.get(caller, id);
  }

  /** Lists plans in the order of their names. */
  listListed(
    site: OfSite,
    query: { readonly limit: number; readonly cursor: string | undefined },
  ): Promise<Page<MembershipPlan>> {
    return this.#listed.list(site, { ...query, sort: 'name', include_total: false });
  }

  async getListed(site: OfSite, slug: string): Promise<MembershipPlan> {
    return (await this.#listed.find(site, { slug })) ?? this.#listed.missing();
  }

  async create(caller: Caller, input: MembershipPlanCreate, tx: EntityManager): Promise<Created<MembershipPlan>> {
    requireAdministrator(caller, 'create membership plans');
    const plan = newPlan(input, await this.schools.currency(caller, tx));
    const made = await this.#plans.insert(tx, caller, plan, 'created');
    await this.#setParts(tx, made.row, plan);
    return made;
  }

  async upsert({
    tx,
    principal,
    body,
    patch,
    ...key
  }: UpsertRequest<MembershipPlanCreate, MembershipPlanPatch>): Promise<Created<MembershipPlan>> {
    requireAdministrator(principal, 'create membership plans');
    const currency = await this.schools.currency(principal, tx);
    const written = await this.#plans.upsert(tx, principal, key, {
      create: () => newPlan(body, currency),
      decide: (plan) => this.#update(tx, plan, patch, currency),
    });
    // The row of a creation has the parts that were given.
    if (written.created) await this.#setParts(tx, written.row, written.row);
    else await this.#replaceParts(tx, written, patch);
    return written;
  }

  async patch(
    caller: Caller,
    key: Key,
    patch: MembershipPlanPatch,
    tx: EntityManager,
  ): Promise<Written<MembershipPlan>> {
    requireAdministrator(caller, 'change membership plans');
    const currency = await this.schools.currency(caller, tx);
    const written = await this.#plans.change(tx, caller, key, (plan) => this.#update(tx, plan, patch, currency));
    await this.#replaceParts(tx, written, patch);
    return written;
  }

  async move(caller: Caller, key: Key, name: PlanMove, tx: EntityManager): Promise<Written<MembershipPlan>> {
    requireAdministrator(caller, 'change membership plans');
    return this.#plans.change(tx, caller, key, (plan) => {
      const rule = moveOf(plan, name);
      return rule && { event: rule.event, changes: { state: rule.to } };
    });
  }

  /** Deletes a draft, which was never sold. @throws `resource_in_use` */
  async remove(caller: Caller, key: Key, tx: EntityManager): Promise<Written<MembershipPlan>> {
    requireAdministrator(caller, 'delete membership plans');
    await this.repository.lockPricesForDeletion(tx, await this.#plans.lock(tx, caller, key.id));
    const error = new ApiError('resource_in_use', 'The plan is or was for sale, or a pending order names its price', {
      hint: 'Archive it, or wait until the order has been paid, has failed or has expired',
    });
    return this.#plans.remove(tx, caller, key, { sql: MEMBERSHIP_PLAN_IN_USE, error });
  }

  /**
   * Locks the plan of a price in any state, and returns its terms with the price.
   *
   * @throws `not_found`
   */
  async openTerms(tx: EntityManager, { site_id }: OfSite, price_id: string): Promise<PlanTerms> {
    const terms = await this.repository.lockTerms(tx, site_id, price_id);
    if (terms === undefined) throw new ApiError('not_found', 'This site has no such price of a membership plan');
    return terms;
  }

  /**
   * Counts a sale of a plan that `openTerms` has locked, or takes it back.
   *
   * @param wasPending true for the sale of an order that was recorded before its payment
   * @throws `invalid_state` for a sale of a plan that is sold out (`sold_out`) or not for sale (`not_for_sale`)
   */
  async countSale(tx: EntityManager, plan: PlanTerms, by: 1 | -1, wasPending = false): Promise<void> {
    if (by === 1) requireForSale(plan, wasPending);
    const counted = await this.repository.count(tx, { site_id: plan.site_id, id: plan.plan_id }, by);
    if (!counted) throw soldOut();
  }

  republication(): Republication<typeof membershipPlanEvents> {
    return this.#plans.republication();
  }

  /** @throws `resource_in_use` when a pending order loses what it names or buys */
  async #update(tx: EntityManager, plan: MembershipPlan, patch: MembershipPlanPatch, currency: string | null) {
    const decision = updated(plan, patch, currency);
    const lost = lostPrices(plan.prices, decision?.changes.prices ?? plan.prices);
    const less = lessenedTerms(plan, decision?.changes ?? {});
    if (lost.length + less.length === 0) return decision;
    await this.repository.lockPricesForDeletion(tx, plan);
    requireUnordered(await this.repository.orderedPrices(tx, plan, lost));
    if (less.length === 0) return decision;
    const ids = plan.prices.map(({ id }) => id);
    requireNoLess(await this.repository.orderedPrices(tx, plan, ids), less);
    return decision;
  }

  /** Writes the parts that a patch names of a written row, which has the parts from before. */
  async #replaceParts(
    tx: EntityManager,
    { row, changed }: Written<MembershipPlan>,
    patch: MembershipPlanPatch,
  ): Promise<void> {
    if (!changed) return;
    const parts = partsAfter(row, patch);
    const { site_id, id: plan_id, course_ids: before } = row;
    await this.#setParts(tx, row, parts);
    Object.assign(row, parts);
    const { course_ids } = row;
    const added = course_ids.filter((id) => !before.includes(id));
    const removed = before.filter((id) => !course_ids.includes(id));
    if (added.length + removed.length === 0) return;
    await this.changed.notify(tx, { site_id, plan_id, course_ids, added, removed });
  }

  async #setParts(tx: EntityManager, row: MembershipPlan, { prices, course_ids }: PlanParts): Promise<void> {
    if (prices !== undefined) await this.repository.setPrices(tx, row, prices);
    if (course_ids !== undefined) await this.repository.setCourses(tx, row, course_ids);
  }
}

function newPlan({ prices, course_ids, slug, ...input }: MembershipPlanCreate, currency: string | null) {
  const draft = { state: 'draft', prices: [] } as const;
  const plan = {
    ...input,
    slug: slug ?? slugOf(input.name),
    prices: [],
    course_ids: [],
    ...partsAfter(draft, { prices, course_ids }),
  };
  requireRules({ ...draft, ...plan });
  requireOneCurrency(plan.prices, currency);
  return plan;
}

function updated(plan: MembershipPlan, patch: MembershipPlanPatch, currency: string | null) {
  requireEditable(plan);
  const changes = changedColumns(plan, { ...patch, ...partsAfter(plan, patch) }, resource);
  if (changes === undefined) return undefined;
  requireSalesKept(plan, changes);
  requireRules(Object.assign({}, plan, changes));
  if (changes.prices !== undefined) requireOneCurrency(changes.prices, currency);
  return { event: 'updated' as const, changes };
}

/** Returns the parts of a plan that a patch names, as they are after it. */
function partsAfter(
  plan: Pick<MembershipPlan, 'state' | 'prices'>,
  { prices, course_ids }: Pick<MembershipPlanPatch, 'prices' | 'course_ids'>,
): PlanParts {
  return {
    ...(prices && { prices: pricesAfter(plan, prices, uuidv7) }),
    // A set: the order in which a request names courses is no change.
    ...(course_ids && { course_ids: course_ids.toSorted() }),
  };
}
