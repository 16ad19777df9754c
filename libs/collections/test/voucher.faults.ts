import { collectionModule } from '@lyceum/collections';
import type { CollectionModule, CreateRequest, Created, ExpandRequest, ListRequest } from '@lyceum/collections';
import { SITES } from '@lyceum/collections/conventions';
import { Sql } from '@lyceum/platform';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { VoucherService } from './coupons/voucher.js';
import type { Voucher, VoucherCreate, VoucherListQuery } from './coupons/voucher.js';
import { VoucherOperations } from './coupons/voucher.operations.js';

/** Vouchers with other operations. */
const operated = (operations: Type<VoucherOperations>): CollectionModule =>
  collectionModule({ operations: [operations], services: [VoucherService] });

@Injectable()
class UnfencedExport extends VoucherOperations {
  override export({ principal, query }: ListRequest<VoucherListQuery>): Promise<Page<Voucher>> {
    return super.export({ principal: { ...principal, client_id: 'another' }, query });
  }
}

@Injectable()
class MisplacedBulk extends VoucherOperations {
  override createMany(request: CreateRequest<VoucherCreate>): Promise<Created<Voucher>> {
    const { site_id } = SITES[1];
    return super.createMany({ ...request, principal: { ...request.principal, site_id } });
  }
}

@Injectable()
class UnfencedExpansion extends VoucherOperations {
  constructor(
    vouchers: VoucherService,
    private readonly sql: Sql,
  ) {
    super(vouchers);
  }

  override async redemptions({ rows }: ExpandRequest<Voucher>): Promise<ReadonlyMap<string, unknown>> {
    const text = 'select id, member from redemptions where voucher_id = any($1)';
    const found = await this.sql.query({ name: 'unfenced', text }, [rows.map(({ id }) => id)]);
    return new Map(rows.map(({ id }) => [id, found]));
  }
}

export const voucherFaults = [
  { name: 'an export without the fence', rule: 'exports no objects', module: operated(UnfencedExport) },
  { name: 'a bulk request at another site', rule: 'keeps what a bulk', module: operated(MisplacedBulk) },
  { name: 'an expansion without its site', rule: 'expands nothing', module: operated(UnfencedExpansion) },
];
