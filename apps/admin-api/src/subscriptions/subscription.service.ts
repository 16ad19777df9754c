import type { Caller, Created, Key, Written } from '@lyceum/collections';
import type { OfSite, subscriptionEvents } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { changedColumns, isAmong } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { MembershipPlanService } from '#src/membership-plans/membership-plan.service.js';
import { SchoolService } from '#src/school/school.service.js';
import { requireActiveStudent } from '#src/students/student.policy.js';
import { StudentService } from '#src/students/student.service.js';
import type { Schedule } from '#src/time-zones/period.policy.js';
import { standingAt } from './standing.policy.js';
import type { Billing } from './standing.policy.js';
import { sold, startedByHand } from './start.policy.js';
import { SubscriptionChanges } from './subscription.changes.js';
import type { SubscriptionChange } from './subscription.changes.js';
import type { Subscription } from './subscription.entity.js';
import { canceled, extended, renewed, resumed, refunded } from './subscription.policy.js';
import { SubscriptionRepository } from './subscription.repository.js';
import type { SubscriptionOrder } from './subscription.repository.js';
import { subscription as resource } from './subscription.schema.js';
import type {
  SubscriptionCancellation,
  SubscriptionCreate,
  SubscriptionListQuery,
  SubscriptionPatch,
} from './subscription.schema.js';
import type { SubscriptionStore } from './subscription.store.js';

type Decide = (row: Subscription, billing: Billing, now: Date) => SubscriptionChange | undefined;

interface Sale {
  readonly price_id: string;
  readonly student_id: string;
  readonly order_id: string;
  readonly at: Date;
  /** When the order was recorded, if that was before its payment. */
  readonly ordered_at?: Date | undefined;
}

interface Renewal {
  readonly subscription_id: string;
  readonly order_id: string;
  readonly at: Date;
  /** When the order of a failed payment was made. Null: the payment succeeded. */
  readonly failed_order_at: Date | null;
}

/** The payments of a subscription that were not refunded. */
interface SubscriptionPayments extends Pick<Schedule, 'interval' | 'interval_count'> {
  readonly order_ids: readonly string[];
  /** Number of periods that they paid. */
  readonly payments: number;
  readonly time_zone: string;
}

/** Subscriptions of students to membership plans. Owners and admins keep them, and orders sell and renew them. */
@Injectable()
export class SubscriptionService {
  readonly #subscriptions: SubscriptionStore;

  constructor(
    private readonly repository: SubscriptionRepository,
    private readonly changes: SubscriptionChanges,
    private readonly students: StudentService,
    private readonly plans: MembershipPlanService,
    private readonly schools: SchoolService,
  ) {
    this.#subscriptions = changes.store;
  }

  async list(caller: Caller, query: SubscriptionListQuery): Promise<Page<Subscription>> {
    requireAdministrator(caller, 'see its subscriptions');
    const page = await this.#subscriptions.list(caller, query);
    const { state } = query;
    if (state === undefined) return page;
    // The index has the state that the clock last wrote.
    const now = new Date();
    return { ...page, rows: page.rows.filter((row) => isAmong(standingAt(row, now).state, state)) };
  }

  async get(caller: Caller, id: string): Promise<Subscription> {
    requireAdministrator(caller, 'see its subscriptions');
    return this.#subscriptions.get(caller, id);
  }

  /** Starts a subscription without a payment. @throws `not_found`, `invalid_state`, `validation_failed` */
  async create(
    caller: Caller,
    { student_id, price_id, state, started_at, current_period_end, ...own }: SubscriptionCreate,
    tx: EntityManager,
  ): Promise<Created<Subscription>> {
    requireAdministrator(caller, 'start subscriptions');
    const { person_id, ...student } = await this.students.lock(caller, student_id, tx);
    requireActiveStudent(student.state);
    const plan = await this.plans.openTerms(tx, caller, price_id);
    await this.plans.countSale(tx, plan, 1).catch(refusePrice);
    const billing = await this.schools.billing(caller, tx);
    const standing = startedByHand(plan, { state, started_at, current_period_end }, billing, new Date());
    const { plan_id, name: plan_name, course_ids } = plan;
    const values = { ...own, ...standing, student_id, price_id, plan_id, plan_name, person_id };
    return this.changes.insert(tx, caller, values, course_ids);
  }

  patch(
    caller: Caller,
    key: Key,
    { current_period_end: end, ...patch }: SubscriptionPatch,
    tx: EntityManager,
  ): Promise<Written<Subscription>> {
    return this.#change(tx, caller, key, (row, billing, now) => {
      const own = changedColumns(row, patch, resource);
      const moves = end !== undefined && end.getTime() !== row.current_period_end?.getTime();
      if (moves) return { event: 'extended', next: extended(row, end, billing, now), own };
      return own && { event: 'updated', next: row, own };
    });
  }

  cancel(
    caller: Caller,
    key: Key,
    cancellation: SubscriptionCancellation,
    tx: EntityManager,
  ): Promise<Written<Subscription>> {
    return this.#change(tx, caller, key, (row, billing, now) => {
      const next = canceled(row, cancellation, billing, now);
      return next && { event: next.state === 'canceled' ? 'canceled' : 'cancellation_scheduled', next };
    });
  }

  resume(caller: Caller, key: Key, tx: EntityManager): Promise<Written<Subscription>> {
    return this.#change(tx, caller, key, (row, billing, now) => {
      const next = resumed(row, billing, now);
      return next && { event: 'resumed', next };
    });
  }

  /**
   * Starts the subscription that an order sold, with its trial if the price has one.
   *
   * @throws `invalid_state` for a plan that is not for sale, is sold out or gives access no more
   */
  async sell(
    site: OfSite,
    { price_id, student_id, order_id, at, ordered_at }: Sale,
    tx: EntityManager,
  ): Promise<{ id: string }> {
    const { person_id, state } = await this.students.held(site, student_id, tx);
    requireActiveStudent(state);
    const plan = await this.plans.openTerms(tx, site, price_id);
    await this.plans.countSale(tx, plan, 1, ordered_at !== undefined);
    const standing = sold(plan, { at, ordered_at }, await this.schools.billing(site, tx));
    const { plan_id, name: plan_name, course_ids } = plan;
    const values = { ...standing, student_id, price_id, plan_id, plan_name, person_id };
    const { row } = await this.changes.insert(tx, site, values, course_ids);
    await this.repository.record(tx, site, { order_id, subscription_id: row.id, kind: 'sale' });
    return { id: row.id };
  }

  /**
   * Records the payment of the next period, or that it failed. A payment of an order counts once. A failed one leaves
   * a subscription as it is that has ended, or that another order has paid since.
   *
   * @throws `not_found`; `invalid_state` for one that is paid once, and a payment after its end
   */
  async renew(
    site: OfSite,
    { subscription_id, order_id, at, failed_order_at }: Renewal,
    tx: EntityManager,
  ): Promise<void> {
    const paid = failed_order_at === null;
    const row = await this.changes.lock(tx, site, subscription_id);
    if (!paid && (await this.repository.isPaidSince(tx, site, subscription_id, failed_order_at))) return;
    if (await this.repository.isRecorded(tx, site, order_id, subscription_id)) return;
    const next = renewed(row, { paid, at }, await this.schools.billing(site, tx));
    const starts = row.state === 'incomplete';
    const event = starts || row.state === 'trialing' ? 'activated' : 'renewed';
    await this.changes.write(tx, site, row, next && { event: paid ? event : 'past_due', next });
    if (!paid) return;
    await this.repository.record(tx, site, { order_id, subscription_id, kind: starts ? 'start' : 'renewal' });
  }

  /** Takes back the period that an order gave. A subscription of which no payment is left ends. */
  async takeBack(site: OfSite, { order_id }: Pick<Sale, 'order_id'>, tx: EntityManager): Promise<void> {
    for (const given of await this.repository.given(tx, site, order_id)) await this.#takeBack(tx, site, given);
    await this.repository.markTakenBack(tx, site, order_id);
  }

  /** True if a price has the interval of a subscription. */
  hasInterval(
    site: OfSite,
    named: { readonly subscription_id: string; readonly price_id: string },
    tx: EntityManager,
  ): Promise<boolean> {
    return this.repository.hasInterval(tx, site, named);
  }

  /** Returns the subscription that an order names. */
  referred(site: OfSite, id: string, tx: EntityManager): Promise<Subscription | undefined> {
    return this.#subscriptions.find(site, { id }, tx);
  }

  /** Returns the earlier payments of a subscription, whose student is locked. Undefined: it is paid once. */
  async payments(site: OfSite, id: string, tx: EntityManager): Promise<SubscriptionPayments | undefined> {
    const row = await this.#subscriptions.find(site, { id }, tx);
    if (row === undefined || row.billing_interval === null) return undefined;
    const { billing_interval: interval, interval_count, trial_ends_at } = row;
    const orders = await this.repository.paid(tx, site, id);
    const { time_zone } = await this.schools.billing(site, tx);
    return {
      order_ids: orders.map(({ order_id }) => order_id),
      // A sale with a trial gives no period.
      payments: orders.filter(({ kind }) => kind !== 'sale' || trial_ends_at === null).length,
      interval,
      interval_count,
      time_zone,
    };
  }

  /** @throws `resource_in_use` for a member with a live subscription */
  async requireNoneLive(site: OfSite, member_id: string, tx: EntityManager): Promise<void> {
    if (!(await this.repository.memberIsLive(tx, site, member_id))) return;
    throw new ApiError('resource_in_use', 'The member has a subscription', { hint: 'Cancel the subscription first' });
  }

  republication(): Republication<typeof subscriptionEvents> {
    return this.#subscriptions.republication();
  }

  async #takeBack(
    tx: EntityManager,
    site: OfSite,
    { order_id, subscription_id, kind }: SubscriptionOrder,
  ): Promise<void> {
    const known = await this.#subscriptions.find(site, { id: subscription_id }, tx);
    if (known === undefined) return;
    // The lock of the student serializes the orders. That of the plan follows it.
    await this.students.lock(site, known.student_id, tx);
    const others = await this.repository.others(tx, site, { order_id, subscription_id, kind });
    if (others.paid === 0 && (kind !== 'renewal' || others.begun)) {
      await this.plans.countSale(tx, await this.plans.openTerms(tx, site, known.price_id), -1);
    }
    const row = await this.changes.lock(tx, site, subscription_id);
    const next = refunded(row, kind, others, await this.schools.billing(site, tx), new Date());
    const isEnd = next?.state !== row.state && (next?.state === 'canceled' || next?.state === 'expired');
    const event = isEnd ? next.state : 'updated';
    await this.changes.write(tx, site, row, next && { event, next });
  }

  /** Changes a subscription for an operator. */
  async #change(tx: EntityManager, caller: Caller, key: Key, decide: Decide): Promise<Written<Subscription>> {
    requireAdministrator(caller, 'change its subscriptions');
    const row = await this.changes.lock(tx, caller, key.id);
    this.#subscriptions.requireMatch(row, key);
    return this.changes.write(tx, caller, row, decide(row, await this.schools.billing(caller, tx), new Date()));
  }
}

/** The plan names the item of an order. @throws the error with the member of a creation */
function refusePrice(error: unknown): never {
  if (!(error instanceof ApiError) || error.errors.length === 0) throw error;
  const errors = error.errors.map(({ code, detail }) => ({ pointer: '/price_id', code, detail }));
  throw new ApiError(error.code, error.message, { errors });
}
