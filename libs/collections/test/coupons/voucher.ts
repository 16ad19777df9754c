import { SiteRow, SiteStores, editable, readOnly, resource } from '@lyceum/collections';
import type {
  CreateOf,
  Created,
  Key,
  ListQueryOf,
  PatchOf,
  SiteStore,
  UpsertRequest,
  Written,
} from '@lyceum/collections';
import type { Principal } from '@lyceum/contracts';
import { Sql } from '@lyceum/platform';
import { ApiError } from '@lyceum/errors';
import { changedColumns, externalId, metadata, name, text } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { Column, Entity } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { couponEvents } from './coupon.events.js';
import { fenceOfResellers } from './resellers.js';

class Price {
  @Column({ type: 'bigint', nullable: true }) amount_minor!: number | null;
  @Column({ type: 'text', nullable: true }) currency!: string | null;
}

@Entity('vouchers')
export class Voucher extends SiteRow {
  @Column('text') code!: string;
  @Column('text') name!: string;
  @Column(() => Price) price!: Price | null;
  @Column({ type: 'text', array: true }) tags!: string[];
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
  @Column('uuid') created_by!: string;
  @Column('int') redeemed_count!: number;
}

const EXAMPLE = { code: 'A-1', name: 'A voucher' };

export const voucher = resource('Voucher', {
  one: 'voucher',
  fields: {
    code: editable(text(40).meta({ description: 'Unique at the site' })),
    name: editable(name(200)),
    price: editable(
      z.strictObject({ amount_minor: z.int().min(0).max(1_000_000), currency: text(3) }).nullable(),
      null,
    ),
    tags: editable(z.array(text(20)).max(5), []),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
    redeemed_count: readOnly(z.int()),
  },
  sorts: ['-created_at', '-updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: { external_id: externalId },
  expand: {
    redemptions: { schema: z.array(z.object({ id: z.uuid(), member: z.string() })), scope: 'students:read' },
  },
  examples: {
    object: {
      id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90',
      ...EXAMPLE,
      price: { amount_minor: 100, currency: 'TWD' },
      tags: ['vip'],
      external_id: null,
      metadata: {},
      redeemed_count: 0,
      created_at: '2026-11-19T08:00:00.000Z',
      updated_at: '2026-11-20T08:00:00.000Z',
    },
    create: EXAMPLE,
    patch: { name: 'Another name' },
  },
});
export type VoucherCreate = CreateOf<typeof voucher>;
export type VoucherPatch = PatchOf<typeof voucher>;
export type VoucherListQuery = ListQueryOf<typeof voucher>;

const IN_USE = 'exists (select 1 from redemptions where site_id = $1 and voucher_id = $2)';

@Injectable()
export class VoucherService {
  readonly #vouchers: SiteStore<Voucher, typeof couponEvents>;

  constructor(
    stores: SiteStores,
    private readonly sql: Sql,
  ) {
    this.#vouchers = stores.of({
      entity: Voucher,
      resource: voucher,
      unique: { vouchers_code: 'code', vouchers_external_id: 'external_id' },
      events: couponEvents,
      data: ({ id, site_id, code, redeemed_count }, event) => ({
        coupon_id: id,
        site_id,
        code,
        active: event !== 'deleted',
        redeemed_count,
      }),
      fence: fenceOfResellers,
    });
  }

  list(principal: Principal, query: VoucherListQuery): Promise<Page<Voucher>> {
    return this.#vouchers.list(principal, query);
  }

  get(principal: Principal, id: string): Promise<Voucher> {
    return this.#vouchers.get(principal, id);
  }

  create(principal: Principal, input: VoucherCreate, tx: EntityManager): Promise<Created<Voucher>> {
    return this.#vouchers.insert(tx, principal, { ...input, created_by: principal.person_id }, 'created');
  }

  patch(principal: Principal, key: Key, patch: VoucherPatch, tx: EntityManager): Promise<Written<Voucher>> {
    return this.#vouchers.change(tx, principal, key, (row) => updated(row, patch));
  }

  upsert(request: UpsertRequest<VoucherCreate, VoucherPatch>): Promise<Created<Voucher>> {
    const { tx, principal, body, patch, ...key } = request;
    return this.#vouchers.upsert(tx, principal, key, {
      create: () => ({ ...body, created_by: principal.person_id }),
      decide: (row) => updated(row, patch),
    });
  }

  async copy(principal: Principal, key: Key, tx: EntityManager): Promise<Created<Voucher>> {
    const known = await this.#vouchers.lock(tx, principal, key.id);
    this.#vouchers.requireMatch(known, key);
    const { name: label, price, tags } = known;
    const copy = { code: `${known.code}-2`, name: label, price, tags, created_by: principal.person_id };
    return this.#vouchers.insert(tx, principal, copy, 'created');
  }

  remove(principal: Principal, key: Key, tx: EntityManager): Promise<Written<Voucher>> {
    const error = new ApiError('resource_in_use', 'The voucher has redemptions');
    return this.#vouchers.remove(tx, principal, key, { sql: IN_USE, error });
  }

  /** By the id of the voucher. */
  async redemptions({ site_id }: Principal, ids: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const rows = await this.sql.query<{ voucher_id: string; id: string; member: string }>(
      {
        name: 'vouchers_redemptions',
        text: `select voucher_id, id, member from unnest($2::uuid[]) v(id_) cross join lateral (
          select voucher_id, id, member from redemptions where site_id = $1 and voucher_id = v.id_
          order by created_at desc, id desc limit 3) r`,
      },
      [site_id, ids],
    );
    const groups = Map.groupBy(rows, (row) => row.voucher_id);
    return new Map(ids.map((id) => [id, (groups.get(id) ?? []).map((row) => ({ id: row.id, member: row.member }))]));
  }
}

function updated(row: Voucher, patch: VoucherPatch) {
  const changes = changedColumns(row, patch, voucher);
  return changes && { event: 'updated' as const, changes };
}
