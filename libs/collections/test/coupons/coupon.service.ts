import { SiteStores } from '@lyceum/collections';
import type { CreateOf, Created, Key, ListQueryOf, SiteStore, Written } from '@lyceum/collections';
import type { Principal } from '@lyceum/contracts';
import { changedColumns } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Coupon } from './coupon.entity.js';
import { couponEvents } from './coupon.events.js';
import { requireEditable } from './coupon.policy.js';
import { coupon as resource } from './coupon.schema.js';
import type { CouponPatch } from './coupon.schema.js';
import { fenceOfResellers } from './resellers.js';

@Injectable()
export class CouponService {
  readonly #coupons: SiteStore<Coupon, typeof couponEvents>;

  constructor(stores: SiteStores) {
    this.#coupons = stores.of({
      entity: Coupon,
      resource,
      unique: { coupons_code: 'code', coupons_external_id: 'external_id' },
      events: couponEvents,
      data: ({ id, site_id, code, active, redeemed_count }, event) => ({
        coupon_id: id,
        site_id,
        code,
        active: active && event !== 'deleted',
        redeemed_count,
      }),
      fence: fenceOfResellers,
    });
  }

  list(principal: Principal, query: ListQueryOf<typeof resource>): Promise<Page<Coupon>> {
    return this.#coupons.list(principal, query);
  }

  get(principal: Principal, id: string): Promise<Coupon> {
    return this.#coupons.get(principal, id);
  }

  create(principal: Principal, input: CreateOf<typeof resource>, tx: EntityManager): Promise<Created<Coupon>> {
    return this.#coupons.insert(tx, principal, { ...input, created_by: principal.person_id }, 'created');
  }

  patch(principal: Principal, key: Key, patch: CouponPatch, tx: EntityManager): Promise<Written<Coupon>> {
    return this.#coupons.change(tx, principal, key, (row) => {
      requireEditable(row, patch);
      const changes = changedColumns(row, patch, resource);
      return changes && { event: 'updated', changes };
    });
  }

  /** Deactivating twice is a no-op, so a client can retry after a lost response. */
  setActive(principal: Principal, key: Key, active: boolean, tx: EntityManager): Promise<Written<Coupon>> {
    return this.#coupons.change(tx, principal, key, (row) =>
      row.active === active ? undefined : { event: active ? 'reactivated' : 'deactivated', changes: { active } },
    );
  }
}
