import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import { couponEvents } from '@lyceum/contracts';
import type { OfSite } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { changedColumns, isAmong, iso } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { PENDING_COUPON } from '#src/pending-orders/pending-coupon.js';
import { lockForDeletion } from '#src/references/lock-for-deletion.js';
import { SchoolService } from '#src/school/school.service.js';
import { CODE, newCodes } from './coupon-code.policy.js';
import { isContinued } from './coupon-duration.policy.js';
import type { RenewedSubscription } from './coupon-duration.policy.js';
import { Coupon } from './coupon.entity.js';
import {
  changesOffer,
  currencyAfter,
  offeredTo,
  redemptionOf,
  refuseSecondCoupon,
  refuseUnknownCode,
  requireEditable,
  requireSameRedemption,
  requireTerms,
  requireUnordered,
  stateAt,
} from './coupon.policy.js';
import type { RedeemedOrder } from './coupon.policy.js';
import { CouponRepository } from './coupon.repository.js';
import { coupon as resource } from './coupon.schema.js';
import type { CouponCreate, CouponGeneration, CouponListQuery, CouponPatch } from './coupon.schema.js';

interface Redeeming extends Omit<RedeemedOrder, 'renewal'> {
  /** The subscription that the order renews. Undefined: none. */
  readonly renews?: RenewedSubscription | undefined;
  /** As the buyer typed it. */
  readonly code: string;
  readonly student_id: string;
  readonly order_id: string;
}

interface Redeemed {
  readonly coupon_id: string;
  readonly discount_minor: number;
  /** The discount of each line, in their order. They add up to `discount_minor`. */
  readonly discounts: readonly number[];
}

/** Coupons are a matter of owners and admins. Orders redeem them on behalf of the site. */
@Injectable()
export class CouponService {
  readonly #coupons: SiteStore<Coupon, typeof couponEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: CouponRepository,
    private readonly schools: SchoolService,
  ) {
    this.#coupons = stores.of({
      entity: Coupon,
      resource,
      unique: { coupons_code: 'code', coupons_external_id: 'external_id' },
      events: couponEvents,
      data: ({ id: coupon_id, site_id, name, code, active, starts_at, expires_at }, event) => ({
        coupon_id,
        site_id,
        name,
        code,
        state: event === 'deleted' ? 'deleted' : active ? 'active' : 'deactivated',
        starts_at: iso(starts_at),
        expires_at: iso(expires_at),
      }),
    });
  }

  async list(caller: Caller, query: CouponListQuery): Promise<Page<Coupon>> {
    requireAdministrator(caller, 'see its coupons');
    const page = await this.#coupons.list(caller, query);
    const { state } = query;
    if (state === undefined) return page;
    // The index has the state that the clock last wrote.
    const now = new Date();
    return { ...page, rows: page.rows.filter((row) => isAmong(stateAt(row, now), state)) };
  }

  async get(caller: Caller, id: string): Promise<Coupon> {
    requireAdministrator(caller, 'see its coupons');
    return this.#coupons.get(caller, id);
  }

  /** @throws `not_found` also for a word that cannot be a code */
  async getByCode(caller: Caller, code: string): Promise<Coupon> {
    requireAdministrator(caller, 'see its coupons');
    const found = CODE.test(code) ? await this.#coupons.find(caller, { code }) : undefined;
    return found ?? this.#coupons.missing();
  }

  async create(caller: Caller, input: CouponCreate, tx: EntityManager): Promise<Created<Coupon>> {
    requireAdministrator(caller, 'create coupons');
    const coupon = newCoupon(input, await this.schools.currency(caller, tx));
    return this.#coupons.insert(tx, caller, coupon, 'created');
  }

  /** Creates coupons with the same terms and random codes. */
  async generate(
    caller: Caller,
    { prefix, count, ...terms }: CouponGeneration,
    tx: EntityManager,
  ): Promise<readonly Coupon[]> {
    requireAdministrator(caller, 'create coupons');
    const shared = { ...newCoupon(terms, await this.schools.currency(caller, tx)), external_id: null };
    const made: Coupon[] = [];
    // The site may have one of the codes, which is next to impossible.
    while (made.length < count) {
      made.push(...(await this.repository.insertAll(tx, caller, shared, newCodes(prefix, count - made.length))));
    }
    for (const coupon of made) await this.#coupons.publish(tx, coupon, 'created');
    return made;
  }

  async upsert({
    tx,
    principal,
    body,
    patch,
    ...key
  }: UpsertRequest<CouponCreate, CouponPatch>): Promise<Created<Coupon>> {
    requireAdministrator(principal, 'create coupons');
    const currency = await this.schools.currency(principal, tx);
    return this.#coupons.upsert(tx, principal, key, {
      create: () => newCoupon(body, currency),
      decide: (coupon) => this.#update(tx, coupon, patch, currency),
    });
  }

  async patch(caller: Caller, key: Key, patch: CouponPatch, tx: EntityManager): Promise<Written<Coupon>> {
    requireAdministrator(caller, 'change coupons');
    const currency = await this.schools.currency(caller, tx);
    return this.#coupons.change(tx, caller, key, (coupon) => this.#update(tx, coupon, patch, currency));
  }

  /** A repetition is a no-op, so a client can retry after a lost response. */
  async setActive(caller: Caller, key: Key, active: boolean, tx: EntityManager): Promise<Written<Coupon>> {
    requireAdministrator(caller, 'change coupons');
    return this.#coupons.change(tx, caller, key, (coupon) => {
      if (coupon.active === active) return undefined;
      const changes = { active, deactivated_at: active ? null : new Date() };
      return { event: active ? 'reactivated' : 'deactivated', changes: withState(coupon, changes) };
    });
  }

  /**
   * @throws `resource_in_use` for a coupon that was redeemed, also if the redemption was given back, and for one that a
   * pending order names
   */
  async remove(caller: Caller, key: Key, tx: EntityManager): Promise<Written<Coupon>> {
    requireAdministrator(caller, 'delete coupons');
    await lockForDeletion(tx, 'coupons', { site_id: caller.site_id, id: key.id });
    const error = new ApiError('resource_in_use', 'The coupon was redeemed, or a pending order names it', {
      hint: 'Deactivate it instead',
    });
    const sql = `exists (select 1 from coupon_redemptions where site_id = $1 and coupon_id = $2) or ${PENDING_COUPON}`;
    return this.#coupons.remove(tx, caller, key, { sql, error });
  }

  /** Keeps the coupon of a pending order as it is until the order is stored. */
  keep(site: OfSite, code: string, tx: EntityManager): Promise<void> {
    return this.repository.keep(tx, site, code);
  }

  /**
   * Redeems a coupon for an order, once: a repetition returns the first result. The lock of the coupon serializes its
   * redemptions, so its limits hold. The caller has locked the student.
   *
   * @throws `not_found` for an unknown code, `invalid_state` when the order cannot redeem the coupon. `errors` has one
   * error at `/code`, whose code says why.
   */
  async redeem(
    site: OfSite,
    { code, student_id, order_id, renews, ...order }: Redeeming,
    tx: EntityManager,
  ): Promise<Redeemed> {
    const word = code.trim();
    const coupon = CODE.test(word) ? await this.#coupons.findLocked(tx, site, { code: word }) : undefined;
    if (coupon === undefined) return refuseUnknownCode();
    const { known, used } = await this.repository.redemptions(tx, coupon, { order_id, student_id });
    if (known !== undefined) {
      requireSameRedemption(known, coupon);
      return redeemed(coupon, known.discounts);
    }
    const reduced = renews && (await this.repository.reduced(tx, coupon, renews.order_ids));
    const renewal = renews && reduced && { ...renews, reduced };
    const offered = offeredTo(coupon, order.ordered_at);
    const done = redeemed(coupon, redemptionOf(offered, { ...order, renewal }, used));
    const continued = isContinued(renewal);
    const { discount_minor, discounts } = done;
    const { currency, at: redeemed_at } = order;
    const redemption_id = await this.repository.redeem(tx, coupon, {
      order_id,
      student_id,
      discount_minor,
      currency,
      discounts,
      redeemed_at,
      continued,
      state: stateAt(changed(coupon, { redeemed_count: coupon.redeemed_count + (continued ? 0 : 1) }), new Date()),
    });
    if (redemption_id === undefined) return refuseSecondCoupon();
    const made = { redemption_id, order_id, student_id, discount_minor, currency, redeemed_at: iso(redeemed_at) };
    await this.#coupons.publish(tx, coupon, 'redeemed', { redemption: made });
    return done;
  }

  /**
   * Gives the redemption of a refunded order back: another order can use it. An order without a redemption and a
   * repetition change nothing.
   */
  async restore(site: OfSite, { order_id }: Pick<Redeeming, 'order_id'>, tx: EntityManager): Promise<void> {
    const redemption = await this.repository.redemptionOf(tx, site, order_id);
    if (redemption === undefined) return;
    const coupon = await this.#coupons.lock(tx, site, redemption.coupon_id);
    const redeemed_count = coupon.redeemed_count - (redemption.continued ? 0 : 1);
    const state = stateAt(changed(coupon, { redeemed_count }), new Date());
    await this.repository.restore(tx, coupon, { order_id, state });
  }

  /** Writes the states of at most `limit` coupons that have begun or ended. Returns the number of coupons. */
  followClock(limit: number): Promise<number> {
    const now = new Date();
    return this.repository.followClock(limit, now, (coupon) => stateAt(coupon, now));
  }

  republication(): Republication<typeof couponEvents> {
    return this.#coupons.republication();
  }

  /** @throws `resource_in_use` for a change of the discount of pending orders with the code */
  async #update(tx: EntityManager, coupon: Coupon, patch: CouponPatch, currency: string | null) {
    const decision = updated(coupon, patch, currency);
    if (decision !== undefined && changesOffer(decision.changes)) {
      await lockForDeletion(tx, 'coupons', coupon);
      requireUnordered(decision.changes, await this.repository.pendingOrders(tx, coupon));
    }
    return decision;
  }
}

function newCoupon<Terms extends Omit<CouponCreate, 'code' | 'external_id'>>(terms: Terms, currency: string | null) {
  const coupon = { ...terms, active: true, deactivated_at: null, redeemed_count: 0, first_redeemed_at: null };
  requireTerms(coupon, currency);
  return { ...coupon, state: stateAt(coupon, new Date()) };
}

function updated(coupon: Coupon, patch: CouponPatch, currency: string | null) {
  const changes = changedColumns(coupon, patch, resource);
  if (changes === undefined) return undefined;
  requireEditable(coupon, changes);
  const next = changed(coupon, changes);
  requireTerms(next, currencyAfter(next, changes, currency));
  return { event: 'updated' as const, changes: withState(coupon, changes) };
}

function changed(coupon: Coupon, changes: Partial<Coupon>): Coupon {
  return Object.assign({}, coupon, changes);
}

/** Adds the state to changes, if they change it. */
function withState(coupon: Coupon, changes: Partial<Coupon>): Partial<Coupon> {
  const state = stateAt(changed(coupon, changes), new Date());
  return state === coupon.state ? changes : { ...changes, state };
}

function redeemed({ id: coupon_id }: Pick<Coupon, 'id'>, discounts: readonly number[]): Redeemed {
  return { coupon_id, discount_minor: discounts.reduce((sum, discount) => sum + discount, 0), discounts };
}
