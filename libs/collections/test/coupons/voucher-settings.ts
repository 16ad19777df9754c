import { SiteRow, SiteStores, collection, editable, resource } from '@lyceum/collections';
import type { ChangeRequest, PatchOf, SiteStore, Written } from '@lyceum/collections';
import type { Principal } from '@lyceum/contracts';
import { changedColumns, name, rowTag } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { Column, Entity } from 'typeorm';
import { couponEvents } from './coupon.events.js';

@Entity('voucher_settings')
export class VoucherSettings extends SiteRow {
  @Column('text') greeting!: string;
}

const EXAMPLE = { greeting: 'Welcome' };
const settings = resource('VoucherSettings', {
  one: 'voucher settings',
  fields: { greeting: editable(name(50), 'Welcome') },
  sorts: ['created_at'],
  examples: {
    object: {
      id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90',
      ...EXAMPLE,
      created_at: '2026-11-19T08:00:00.000Z',
      updated_at: '2026-11-20T08:00:00.000Z',
    },
    patch: EXAMPLE,
  },
});

@Injectable()
export class VoucherSettingsService {
  readonly #settings: SiteStore<VoucherSettings, typeof couponEvents>;

  constructor(stores: SiteStores) {
    this.#settings = stores.of({
      entity: VoucherSettings,
      resource: settings,
      events: couponEvents,
      data: ({ id, site_id }) => ({ coupon_id: id, site_id, code: '', active: true, redeemed_count: 0 }),
    });
  }

  async get(principal: Principal): Promise<VoucherSettings> {
    return (await this.#settings.find(principal, {})) ?? this.#settings.missing();
  }

  async update(request: Omit<ChangeRequest<PatchOf<typeof settings>>, 'id'>): Promise<Written<VoucherSettings>> {
    const { principal, body, tx, ...conditions } = request;
    const { id } = await this.get(principal);
    return this.#settings.change(tx, principal, { ...conditions, id }, (row) => {
      const changes = changedColumns(row, body, settings);
      return changes && { event: 'updated', changes };
    });
  }
}

/** A singleton: each site has one. */
export const voucherSettingsCollection = collection({
  name: 'voucher_settings',
  scope: 'coupons',
  service: VoucherSettingsService,
  row: VoucherSettings,
  singleton: true,
  resource: settings,
  etag: ({ version }) => rowTag(version),
  operations: {
    get: {
      id: 'getVoucherSettings',
      summary: 'Get the voucher settings',
      description: 'Returns the settings.',
      run: (service, { principal }) => service.get(principal),
    },
    update: {
      id: 'updateVoucherSettings',
      summary: 'Update the voucher settings',
      description: 'JSON Merge Patch.',
      run: (service, request) => service.update(request),
    },
  },
});
