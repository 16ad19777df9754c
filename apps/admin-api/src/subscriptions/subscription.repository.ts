import type { OfSite } from '@lyceum/contracts';
import { Sql, preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Subscription } from './subscription.entity.js';
import { LIVE_SUBSCRIPTIONS, SUBSCRIPTION_PARTS } from './subscription.listing.js';
import type { OtherOrders } from './subscription.policy.js';

export type SubscriptionKey = Pick<Subscription, 'site_id' | 'id' | 'student_id'>;

/** A result of an order: a subscription, its first period, or another period. */
export type OrderKind = 'sale' | 'start' | 'renewal';

export interface SubscriptionOrder {
  readonly order_id: string;
  readonly subscription_id: string;
  readonly kind: OrderKind;
}

/** A plan whose subscriptions follow a change of its courses, from a subscription on. */
export interface PlanFollow {
  readonly site_id: string;
  readonly plan_id: string;
  /** The last subscription that followed. Null: none yet. */
  readonly after_id: string | null;
  /** Number of changes of the plan. */
  readonly revision: number;
  /** Courses that have come to the plan. Null: v0.1.0 wrote the change, so each may have. */
  readonly added: readonly string[] | null;
}

const SECONDS_OF_CLAIM = 60;
/** A column of milliseconds rounds `now()` up, so that the row would be due in the future. */
const NOW = `date_trunc('milliseconds', now())`;
/** Condition on a subscription: `$3` erases something of it. */
const ERASED = `$3 and (s.cancel_reason is not null or s.metadata <> '{}')`;
const PARTS = Object.entries(SUBSCRIPTION_PARTS).map(([name, sql]) => `${sql} as ${name}`);

@Injectable()
export class SubscriptionRepository {
  constructor(private readonly sql: Sql) {}

  /** Subscriptions of all sites whose state is due to change. */
  due(now: Date, limit: number): Promise<SubscriptionKey[]> {
    return this.sql.query(
      {
        name: 'subscriptions_due',
        text: 'select site_id, id, student_id from subscriptions where changes_at <= $1 order by changes_at limit $2',
      },
      [now, limit],
    );
  }

  /**
   * Locks the student of a subscription whose state is due to change. Returns false if it is not due any more, or if
   * another transaction has locked the student.
   */
  async lockDue(tx: EntityManager, { site_id, id, student_id }: SubscriptionKey, now: Date): Promise<boolean> {
    const statement = {
      name: 'subscriptions_lock_due',
      text: `select 1 as due from students
        where site_id = $1 and id = $2 and exists (
          select from subscriptions s where s.site_id = $1 and s.id = $3 and s.changes_at <= $4)
        for no key update skip locked`,
    };
    return (await preparedQuery(tx, statement, [site_id, student_id, id, now])).length > 0;
  }

  /** The courses that a plan has now. */
  async coursesOf(
    tx: EntityManager,
    { site_id, plan_id }: Pick<Subscription, 'site_id' | 'plan_id'>,
  ): Promise<string[]> {
    const text = 'select course_id from membership_plan_courses where site_id = $1 and plan_id = $2 order by course_id';
    const rows = await tx.query<{ course_id: string }[]>(text, [site_id, plan_id]);
    return rows.map(({ course_id }) => course_id);
  }

  /** Ids of the subscriptions of a locked student that have not ended. */
  async openOf(tx: EntityManager, { site_id }: OfSite, student_id: string): Promise<string[]> {
    const rows = await tx.query<{ id: string }[]>(
      `select id from subscriptions
       where site_id = $1 and student_id = $2 and state in ('incomplete', 'trialing', 'active', 'past_due')
       order by created_at, id`,
      [site_id, student_id],
    );
    return rows.map(({ id }) => id);
  }

  /** Locks the student of a member. Returns true if the student has a live subscription. */
  async memberIsLive(tx: EntityManager, { site_id }: OfSite, member_id: string): Promise<boolean> {
    await tx.query('select 1 from students where site_id = $1 and member_id = $2 for no key update', [
      site_id,
      member_id,
    ]);
    const rows = await tx.query<unknown[]>(
      `select 1 from students s
       join subscriptions on subscriptions.site_id = s.site_id and subscriptions.student_id = s.id
       where s.site_id = $1 and s.member_id = $2 and ${LIVE_SUBSCRIPTIONS} limit 1`,
      [site_id, member_id],
    );
    return rows.length > 0;
  }

  /**
   * Increments the version of all subscriptions of a student, so that consumers accept their next events. It is no
   * edit: `updated_at` and the entity tag stay, unless it erases what operators wrote about a person who is erased.
   */
  touchAll(tx: EntityManager, { site_id }: OfSite, student_id: string, erases: boolean): Promise<Subscription[]> {
    return tx.query<Subscription[]>(
      `with subscriptions as (
         update subscriptions s set version = s.version + 1,
           links = s.links + case when ${ERASED} then 0 else 1 end,
           updated_at = case when ${ERASED} then now() else s.updated_at end,
           cancel_reason = case when $3 then null else s.cancel_reason end,
           metadata = case when $3 then '{}' else s.metadata end
         where s.site_id = $1 and s.student_id = $2 returning s.*
       )
       select *, ${PARTS.join(', ')} from subscriptions order by created_at, id`,
      [site_id, student_id, erases],
    );
  }

  /** True if a price is that of a subscription, or has the interval that the subscription keeps from its beginning. */
  async hasInterval(
    tx: EntityManager,
    { site_id }: OfSite,
    { subscription_id, price_id }: { readonly subscription_id: string; readonly price_id: string },
  ): Promise<boolean> {
    const rows = await tx.query<unknown[]>(
      `select 1 from subscriptions s join membership_plan_prices p on p.site_id = s.site_id
       where s.site_id = $1 and s.id = $2 and p.id = $3
         and (p.id = s.price_id
           or (p.billing_interval, p.interval_count) is not distinct from (s.billing_interval, s.interval_count))`,
      [site_id, subscription_id, price_id],
    );
    return rows.length > 0;
  }

  /** Records what an order gave. */
  async record(tx: EntityManager, { site_id }: OfSite, given: SubscriptionOrder): Promise<void> {
    await tx.query(
      `insert into subscription_orders (site_id, order_id, subscription_id, kind) values ($1, $2, $3, $4)`,
      [site_id, given.order_id, given.subscription_id, given.kind],
    );
  }

  /** All that an order gave, in the order of the subscriptions. */
  given(tx: EntityManager, { site_id }: OfSite, order_id: string): Promise<SubscriptionOrder[]> {
    return tx.query<SubscriptionOrder[]>(
      `select order_id, subscription_id, kind from subscription_orders
       where site_id = $1 and order_id = $2 and taken_back_at is null order by subscription_id`,
      [site_id, order_id],
    );
  }

  /** The other orders of a subscription of a locked student. */
  async others(
    tx: EntityManager,
    { site_id }: OfSite,
    { order_id, subscription_id, kind }: SubscriptionOrder,
  ): Promise<OtherOrders> {
    const [others] = await tx.query<OtherOrders[]>(
      `select count(*) filter (where o.taken_back_at is null)::int as paid,
         count(*) filter (where o.taken_back_at is null and o.kind = 'renewal'
           and ($4 <> 'renewal' or (o.created_at, o.order_id) > (this.created_at, this.order_id)))::int as later,
         coalesce(bool_or(o.kind <> 'renewal'), false) as begun
       from subscription_orders this
       join subscription_orders o on o.site_id = this.site_id and o.subscription_id = this.subscription_id
         and o.order_id <> this.order_id
       where this.site_id = $1 and this.order_id = $2 and this.subscription_id = $3`,
      [site_id, order_id, subscription_id, kind],
    );
    if (others === undefined) throw new Error('A count has one row');
    return others;
  }

  /** The paid orders of a subscription that were not refunded, the oldest first. */
  paid(tx: EntityManager, { site_id }: OfSite, subscription_id: string): Promise<SubscriptionOrder[]> {
    return tx.query<SubscriptionOrder[]>(
      `select order_id, subscription_id, kind from subscription_orders
       where site_id = $1 and subscription_id = $2 and taken_back_at is null order by created_at, order_id`,
      [site_id, subscription_id],
    );
  }

  /** True if the order gave the subscription a period, even if it was taken back. */
  async isRecorded(
    tx: EntityManager,
    { site_id }: OfSite,
    order_id: string,
    subscription_id: string,
  ): Promise<boolean> {
    const text = `select 1 from subscription_orders where site_id = $1 and order_id = $2 and subscription_id = $3`;
    return (await tx.query<unknown[]>(text, [site_id, order_id, subscription_id])).length > 0;
  }

  /** True if an order has paid the subscription at an instant or later. */
  async isPaidSince(tx: EntityManager, { site_id }: OfSite, subscription_id: string, since: Date): Promise<boolean> {
    const text = `select 1 from subscription_orders
      where site_id = $1 and subscription_id = $2 and taken_back_at is null and created_at >= $3 limit 1`;
    return (await tx.query<unknown[]>(text, [site_id, subscription_id, since])).length > 0;
  }

  async markTakenBack(tx: EntityManager, { site_id }: OfSite, order_id: string): Promise<void> {
    await tx.query(`update subscription_orders set taken_back_at = now() where site_id = $1 and order_id = $2`, [
      site_id,
      order_id,
    ]);
  }

  /** Lets the live subscriptions of a plan follow it, from the first one on. */
  async requestFollow(
    tx: EntityManager,
    { site_id, plan_id, added }: Pick<PlanFollow, 'site_id' | 'plan_id'> & { readonly added: readonly string[] },
  ): Promise<void> {
    await tx.query(
      `insert into subscription_follows as f (site_id, plan_id, added, claimed_until) values ($1, $2, $3, ${NOW})
       on conflict (site_id, plan_id) do update
         set after_id = null, revision = f.revision + 1, claimed_until = excluded.claimed_until,
           added = case when f.added is not null
             then array(select distinct unnest(f.added || excluded.added)) end`,
      [site_id, plan_id, added],
    );
  }

  /** Claims a plan that subscriptions have to follow, so that other replicas take other plans. */
  async claimFollow(): Promise<PlanFollow | undefined> {
    const [claimed] = await this.sql.query<PlanFollow>(
      {
        name: 'subscriptions_claim_follow',
        text: `update subscription_follows set claimed_until = now() + make_interval(secs => $1)
          where (site_id, plan_id) = (
            select site_id, plan_id from subscription_follows where claimed_until <= now()
            order by claimed_until limit 1 for update skip locked)
          returning site_id, plan_id, after_id, revision, added`,
      },
      [SECONDS_OF_CLAIM],
    );
    return claimed;
  }

  /** The next live subscriptions that follow a plan. */
  following({ site_id, plan_id, after_id }: PlanFollow, limit: number): Promise<SubscriptionKey[]> {
    return this.sql.query(
      {
        name: 'subscriptions_following',
        text: `select site_id, id, student_id from subscriptions
          where site_id = $1 and plan_id = $2 and state in ('trialing', 'active', 'past_due')
            and id > coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')
          order by id limit $4`,
      },
      [site_id, plan_id, after_id, limit],
    );
  }

  /** Notes how far a batch came; undefined: to the last one. Another change of the plan begins from the first again. */
  async advanceFollow({ site_id, plan_id, revision }: PlanFollow, after_id: string | undefined): Promise<void> {
    const change = after_id === undefined ? 'delete from' : 'update';
    const set = after_id === undefined ? '' : `set after_id = $4, claimed_until = ${NOW}`;
    const values = [site_id, plan_id, revision, ...(after_id === undefined ? [] : [after_id])];
    await this.sql.query(
      {
        name: `subscriptions_follow_${after_id === undefined ? 'done' : 'advance'}`,
        text: `${change} subscription_follows ${set} where site_id = $1 and plan_id = $2 and revision = $3`,
      },
      values,
    );
  }
}
