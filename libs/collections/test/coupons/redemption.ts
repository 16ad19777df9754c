import { SiteRow, SiteStores, collection, editable, fixed, resource } from '@lyceum/collections';
import type {
  ChangeRequest,
  CreateOf,
  CreateRequest,
  Created,
  ListQueryOf,
  ListRequest,
  ObjectRequest,
  OfParent,
  SiteStore,
  Written,
} from '@lyceum/collections';
import { changedColumns, name, rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { Column, Entity } from 'typeorm';
import { z } from 'zod';
import { couponEvents } from './coupon.events.js';
import { VoucherService } from './voucher.js';

@Entity('redemptions')
export class Redemption extends SiteRow {
  @Column('uuid') voucher_id!: string;
  @Column('text') member!: string;
  @Column('boolean') voided!: boolean;
}

const EXAMPLE = { member: 'Ada' };
const redemption = resource('Redemption', {
  one: 'redemption',
  fields: { member: fixed(name(100)), voided: editable(z.boolean(), false) },
  sorts: ['-created_at', '-updated_at'],
  ranges: ['created_at', 'updated_at'],
  examples: {
    object: {
      id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90',
      ...EXAMPLE,
      voided: false,
      created_at: '2026-11-19T08:00:00.000Z',
      updated_at: '2026-11-20T08:00:00.000Z',
    },
    create: EXAMPLE,
  },
});

@Injectable()
export class RedemptionService {
  readonly #redemptions: SiteStore<Redemption, typeof couponEvents>;

  constructor(
    stores: SiteStores,
    private readonly vouchers: VoucherService,
  ) {
    this.#redemptions = stores.of({
      entity: Redemption,
      resource: redemption,
      events: couponEvents,
      data: ({ id, site_id, member }) => ({ coupon_id: id, site_id, code: member, active: true, redeemed_count: 0 }),
    });
  }

  async list({
    principal,
    parent_id,
    query,
  }: ListRequest<ListQueryOf<typeof redemption>> & OfParent): Promise<Page<Redemption>> {
    await this.vouchers.get(principal, parent_id);
    return this.#redemptions.list(principal, query, { voucher_id: parent_id });
  }

  get({ principal, parent_id, id }: ObjectRequest & OfParent): Promise<Redemption> {
    return this.#redemptions.get(principal, id, { voucher_id: parent_id });
  }

  async create(request: CreateRequest<CreateOf<typeof redemption>> & OfParent): Promise<Created<Redemption>> {
    const { principal, parent_id, body, tx } = request;
    await this.vouchers.get(principal, parent_id);
    return this.#redemptions.insert(tx, principal, { ...body, voucher_id: parent_id }, 'redeemed');
  }

  void(request: ChangeRequest & OfParent): Promise<Written<Redemption>> {
    const { principal, parent_id, tx, ...key } = request;
    return this.#redemptions.change(tx, principal, { ...key, within: { voucher_id: parent_id } }, (row) => {
      const changes = changedColumns(row, { voided: true }, redemption);
      return changes && { event: 'updated', changes };
    });
  }

  remove(request: ChangeRequest & OfParent): Promise<Written<Redemption>> {
    const { principal, parent_id, tx, ...key } = request;
    return this.#redemptions.remove(tx, principal, { ...key, within: { voucher_id: parent_id } });
  }
}

/** A sub-collection: `vouchers/{voucher_id}/redemptions`. */
export const redemptionCollection = collection({
  name: 'redemptions',
  scope: 'coupons',
  service: RedemptionService,
  row: Redemption,
  parent: { name: 'vouchers', one: 'voucher' },
  resource: redemption,
  etag: ({ version }) => rowTag(version),
  operations: {
    list: {
      id: 'listRedemptions',
      summary: 'List redemptions',
      description: 'Returns the redemptions of a voucher.',
      run: (redemptions, request) => redemptions.list(request),
    },
    get: {
      id: 'getRedemption',
      summary: 'Get a redemption',
      description: 'Returns one redemption.',
      run: (redemptions, request) => redemptions.get(request),
    },
    create: {
      id: 'redeemVoucher',
      summary: 'Redeem a voucher',
      description: 'Records a redemption.',
      run: (redemptions, request) => redemptions.create(request),
    },
    actions: {
      void: {
        id: 'voidRedemption',
        summary: 'Void a redemption',
        description: 'The redemption no longer counts.',
        run: (redemptions, request) => redemptions.void(request),
      },
    },
    delete: {
      id: 'deleteRedemption',
      summary: 'Delete a redemption',
      description: 'Deletes a redemption that was recorded by mistake.',
      run: (redemptions, request) => redemptions.remove(request),
    },
  },
});
