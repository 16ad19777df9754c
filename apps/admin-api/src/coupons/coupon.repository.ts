import type { OfSite } from '@lyceum/contracts';
import { preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { PENDING_OF_COUPON } from '#src/pending-orders/pending-coupon.js';
import type { CouponRedemption } from './coupon-redemption.entity.js';
import type { Coupon } from './coupon.entity.js';
import type { CouponState, PendingOrders } from './coupon.policy.js';

type CouponKey = Pick<Coupon, 'site_id' | 'id'>;

/** Columns that the database sets. */
type Made = Pick<Coupon, 'site_id' | 'id' | 'code' | 'version' | 'created_at' | 'updated_at'>;

/** Columns that generated coupons share. */
type SharedTerms = Omit<Coupon, keyof Made>;

/** The redemption of an order, if one exists, and the number of redemptions of the student that count. */
interface Redemptions {
  readonly known: Pick<CouponRedemption, 'coupon_id' | 'discounts' | 'restored_at'> | undefined;
  readonly used: number;
}

interface NewRedemption extends Pick<
  CouponRedemption,
  'order_id' | 'student_id' | 'discounts' | 'redeemed_at' | 'continued'
> {
  readonly discount_minor: number;
  readonly currency: string;
  /** The state of the coupon after it. */
  readonly state: CouponState;
}

const REDEMPTIONS = {
  name: 'coupons_redemptions',
  text: `select known.coupon_id, known.discounts, known.restored_at, of_student.used
    from (
      select count(*)::int as used from coupon_redemptions
      where site_id = $1 and coupon_id = $2 and student_id = $3 and restored_at is null and not continued
    ) of_student
    left join coupon_redemptions known on known.site_id = $1 and known.order_id = $4`,
};

/** Counts only a redemption that it inserts, and never more than the coupon allows. A continued one does not count. */
const REDEEM = {
  name: 'coupons_redeem',
  text: `with redeemed as (
      insert into coupon_redemptions (site_id, coupon_id, order_id, student_id, discount_amount_minor, discount_currency,
        discounts, redeemed_at, continued)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $10)
      on conflict (site_id, order_id) do nothing
      returning id, redeemed_at
    )
    update coupons c
    set redeemed_count = c.redeemed_count + case when $10 then 0 else 1 end, state = $9,
        first_redeemed_at = coalesce(c.first_redeemed_at, redeemed.redeemed_at)
    from redeemed
    where c.site_id = $1 and c.id = $2 and ($10 or c.max_redemptions is null or c.redeemed_count < c.max_redemptions)
    returning redeemed.id`,
};

const RESTORE = {
  name: 'coupons_restore',
  text: `with restored as (
      update coupon_redemptions set restored_at = now(), updated_at = now(), version = version + 1
      where site_id = $1 and order_id = $3 and restored_at is null
      returning coupon_id, continued
    )
    update coupons c set redeemed_count = c.redeemed_count - case when restored.continued then 0 else 1 end, state = $4
    from restored where c.site_id = $1 and c.id = $2 and restored.coupon_id = c.id`,
};

const GENERATE = `
  insert into coupons (site_id, code, name, discount, duration, duration_months, applies_to, starts_at, expires_at,
    max_redemptions, max_per_member, min_order_amount_minor, min_order_currency, active, state, metadata)
  select $1, new.code, t.name, t.discount, t.duration, t.duration_months, t.applies_to, t.starts_at, t.expires_at,
    t.max_redemptions, t.max_per_member, t.min_order_amount_minor, t.min_order_currency, t.active, t.state, t.metadata
  from jsonb_populate_record(null::coupons, $2::jsonb) t, unnest($3::citext[]) new (code)
  on conflict (site_id, code) do nothing
  returning site_id, id, code, version, created_at, updated_at`;

@Injectable()
export class CouponRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Call it with the coupon locked, so the number stays until the transaction ends. */
  async redemptions(
    tx: EntityManager,
    { site_id, id }: CouponKey,
    { order_id, student_id }: Pick<CouponRedemption, 'order_id' | 'student_id'>,
  ): Promise<Redemptions> {
    const values = [site_id, id, student_id, order_id];
    type Row = Nullable<NonNullable<Redemptions['known']>> & Pick<Redemptions, 'used'>;
    const [row] = await preparedQuery<Row>(tx, REDEMPTIONS, values);
    if (row === undefined) throw new Error('A count has one row');
    const { used, coupon_id, discounts, restored_at } = row;
    return {
      used,
      known: coupon_id === null || discounts === null ? undefined : { coupon_id, discounts, restored_at },
    };
  }

  /** Returns its id; undefined when another transaction has just redeemed a coupon for the order. */
  async redeem(tx: EntityManager, { site_id, id }: CouponKey, redemption: NewRedemption): Promise<string | undefined> {
    const { order_id, student_id, discount_minor, currency, discounts, redeemed_at, state, continued } = redemption;
    const amounts = JSON.stringify(discounts);
    const money = [discount_minor, currency, amounts];
    const values = [site_id, id, order_id, student_id, ...money, redeemed_at, state, continued];
    return (await preparedQuery<{ id: string }>(tx, REDEEM, values))[0]?.id;
  }

  /** Returns the instants of the redemptions of these orders that count, the oldest first. */
  async reduced(tx: EntityManager, { site_id, id }: CouponKey, order_ids: readonly string[]): Promise<readonly Date[]> {
    const rows = await tx.query<{ redeemed_at: Date }[]>(
      `select redeemed_at from coupon_redemptions
       where site_id = $1 and coupon_id = $2 and order_id = any($3::uuid[]) and restored_at is null
       order by redeemed_at`,
      [site_id, id, order_ids],
    );
    return rows.map(({ redeemed_at }) => redeemed_at);
  }

  /** Keeps the coupon of a code until the transaction ends. */
  async keep(tx: EntityManager, { site_id }: OfSite, code: string): Promise<void> {
    await tx.query('select 1 from coupons where site_id = $1 and code = $2::citext for key share', [site_id, code]);
  }

  /** Returns the pending orders that name the coupon. The caller has locked it for deletion. */
  async pendingOrders(tx: EntityManager, { site_id, id }: CouponKey): Promise<PendingOrders> {
    const [row] = await tx.query<PendingOrders[]>(PENDING_OF_COUPON, [site_id, id]);
    if (row === undefined) throw new Error('A count has one row');
    return row;
  }

  async redemptionOf(
    tx: EntityManager,
    { site_id }: OfSite,
    order_id: string,
  ): Promise<Pick<CouponRedemption, 'coupon_id' | 'continued'> | undefined> {
    const [row] = await tx.query<Pick<CouponRedemption, 'coupon_id' | 'continued'>[]>(
      'select coupon_id, continued from coupon_redemptions where site_id = $1 and order_id = $2',
      [site_id, order_id],
    );
    return row;
  }

  /** Gives the redemption of an order back to the locked coupon. A repetition changes nothing. */
  async restore(
    tx: EntityManager,
    { site_id, id }: CouponKey,
    { order_id, state }: Pick<NewRedemption, 'order_id' | 'state'>,
  ): Promise<void> {
    await preparedQuery(tx, RESTORE, [site_id, id, order_id, state]);
  }

  /** Inserts coupons with one statement. Leaves out codes that the site has. */
  async insertAll(
    tx: EntityManager,
    { site_id }: OfSite,
    { min_order, ...shared }: SharedTerms,
    codes: readonly string[],
  ): Promise<Coupon[]> {
    const columns = {
      ...shared,
      min_order_amount_minor: min_order?.amount_minor ?? null,
      min_order_currency: min_order?.currency ?? null,
    };
    const made = await tx.query<Made[]>(GENERATE, [site_id, JSON.stringify(columns), codes]);
    return made.map((row) => ({ ...shared, min_order, ...row }));
  }

  /**
   * Writes the states of at most `limit` coupons that begin or end. Coupons that another replica has locked are left to
   * it. Returns the number of coupons it wrote.
   */
  followClock(limit: number, now: Date, stateOf: (coupon: Coupon) => CouponState): Promise<number> {
    return this.dataSource.transaction(async (tx) => {
      const due = await tx.query<Coupon[]>(
        `select site_id, id, active, starts_at, expires_at, redeemed_count, max_redemptions from coupons
         where (state = 'scheduled' and starts_at <= $1)
           or (state in ('scheduled', 'active', 'exhausted') and expires_at <= $1)
         limit $2 for no key update skip locked`,
        [now, limit],
      );
      await tx.query(
        `update coupons c set state = due.state, updated_at = now()
         from unnest($1::uuid[], $2::uuid[], $3::text[]) due (site_id, id, state)
         where c.site_id = due.site_id and c.id = due.id`,
        [due.map(({ site_id }) => site_id), due.map(({ id }) => id), due.map(stateOf)],
      );
      return due.length;
    });
  }
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };
