import {
  Action,
  Bulk,
  Collection,
  Create,
  Delete,
  Expand,
  Export,
  Get,
  List,
  Update,
  Upsert,
} from '@lyceum/collections';
import type {
  ChangeRequest,
  CreateRequest,
  Created,
  ExpandRequest,
  ListRequest,
  ObjectRequest,
  UpsertRequest,
  Written,
} from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { VoucherService, voucher } from './voucher.js';
import type { Voucher, VoucherCreate, VoucherListQuery, VoucherPatch } from './voucher.js';

/** Everything that coupons do without. */
@Collection<Voucher>({
  name: 'vouchers',
  scope: 'coupons',
  resource: voucher,
  etag: ({ version, redeemed_count }) => rowTag(version, redeemed_count),
  personal: true,
  toolItem: ['id', 'code'],
})
@Injectable()
export class VoucherOperations {
  constructor(private readonly vouchers: VoucherService) {}

  @List('listVouchers', { summary: 'List vouchers', description: 'Returns the vouchers of the site.' })
  list({ principal, query }: ListRequest<VoucherListQuery>): Promise<Page<Voucher>> {
    return this.vouchers.list(principal, query);
  }

  @Get('getVoucher', { summary: 'Get a voucher', description: 'Returns one voucher.' })
  get({ principal, id }: ObjectRequest): Promise<Voucher> {
    return this.vouchers.get(principal, id);
  }

  @Create('createVoucher', {
    summary: 'Create a voucher',
    description: 'Creates one voucher.',
    problems: ['already_exists'],
  })
  create({ principal, body, tx }: CreateRequest<VoucherCreate>): Promise<Created<Voucher>> {
    return this.vouchers.create(principal, body, tx);
  }

  @Update('updateVoucher', {
    summary: 'Update a voucher',
    description: 'JSON Merge Patch (RFC 7396).',
    problems: ['already_exists'],
  })
  update({ principal, body, tx, ...key }: ChangeRequest<VoucherPatch>): Promise<Written<Voucher>> {
    return this.vouchers.patch(principal, key, body, tx);
  }

  @Bulk('createVouchers', { summary: 'Create vouchers', description: 'Creates up to 200 vouchers.' })
  createMany({ principal, body, tx }: CreateRequest<VoucherCreate>): Promise<Created<Voucher>> {
    return this.vouchers.create(principal, body, tx);
  }

  @Upsert('putVoucher', {
    summary: 'Create or update a voucher',
    description: 'Creates the voucher of the `external_id`, or changes the fields that the body names.',
    problems: ['already_exists'],
  })
  put(request: UpsertRequest<VoucherCreate, VoucherPatch>): Promise<Created<Voucher>> {
    return this.vouchers.upsert(request);
  }

  @Action('copyVoucher', 'copy', {
    summary: 'Copy a voucher',
    description: 'Creates a voucher with the price and the tags of this one.',
    creates: true,
    tool: { description: 'Copies a voucher under another code. Use it for a second one with the same price.' },
  })
  copy({ principal, tx, ...key }: ChangeRequest): Promise<Created<Voucher>> {
    return this.vouchers.copy(principal, key, tx);
  }

  @Delete('deleteVoucher', {
    summary: 'Delete a voucher',
    description: 'Deletes a voucher without redemptions.',
    problems: ['resource_in_use'],
    tool: { description: 'Deletes a voucher without redemptions. Use it for one created by mistake.' },
  })
  remove({ principal, tx, ...key }: ChangeRequest): Promise<Written<Voucher>> {
    return this.vouchers.remove(principal, key, tx);
  }

  @Export('exportVouchers', { summary: 'Export vouchers', description: 'Returns all vouchers as CSV.' })
  export({ principal, query }: ListRequest<VoucherListQuery>): Promise<Page<Voucher>> {
    return this.vouchers.list(principal, query);
  }

  @Expand('redemptions')
  redemptions({ principal, rows }: ExpandRequest<Voucher>): Promise<ReadonlyMap<string, unknown>> {
    return this.vouchers.redemptions(
      principal,
      rows.map(({ id }) => id),
    );
  }
}
