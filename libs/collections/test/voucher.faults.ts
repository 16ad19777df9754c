import { SiteStores, collectionFrom, collectionModule } from '@lyceum/collections';
import type {
  BulkRequest,
  Collection,
  CollectionModule,
  Created,
  Key,
  UpsertRequest,
  Written,
} from '@lyceum/collections';
import { SITES } from '@lyceum/collections/conventions';
import type { Principal } from '@lyceum/contracts';
import { Sql } from '@lyceum/platform';
import { eachInSavepoint } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { Provider } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { VoucherService, voucher } from './coupons/voucher.js';
import type { Voucher, VoucherCreate, VoucherPatch } from './coupons/voucher.js';
import { voucherCollection } from './coupons/voucher.operations.js';

const { declared } = voucherCollection;
const words = { summary: 'Vouchers', description: 'Vouchers.' };

/** Vouchers with other operations, or another service. */
function operated(
  changes: Partial<Collection['declared']['operations']>,
  service: Provider = VoucherService,
): CollectionModule {
  const faulty = collectionFrom({ ...declared, operations: { ...declared.operations, ...changes } });
  return collectionModule({ operations: [faulty], services: [], providers: [service] });
}

const misplacedBulk = {
  id: 'createVouchers',
  ...words,
  body: voucher.create,
  run: (vouchers: VoucherService, { principal, body, tx }: BulkRequest<VoucherCreate>) =>
    eachInSavepoint(tx, body, (inner, item) =>
      vouchers.create({ ...principal, site_id: SITES[1].site_id }, item, inner),
    ),
};

@Injectable()
class UnfencedExpansion extends VoucherService {
  constructor(
    stores: SiteStores,
    private readonly database: Sql,
  ) {
    super(stores, database);
  }

  override async redemptions(_principal: Principal, ids: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const text = 'select id, member from redemptions where voucher_id = any($1)';
    const found = await this.database.query({ name: 'unfenced', text }, [ids]);
    return new Map(ids.map((id) => [id, found]));
  }
}

@Injectable()
class Overwriting extends VoucherService {
  override upsert({
    ifNoneMatch: _ignored,
    ...request
  }: UpsertRequest<VoucherCreate, VoucherPatch>): Promise<Created<Voucher>> {
    return super.upsert(request);
  }
}

@Injectable()
class Changing extends VoucherService {
  override patch(
    principal: Principal,
    { ifNoneMatch: _ignored, ...key }: Key,
    patch: VoucherPatch,
    tx: EntityManager,
  ): Promise<Written<Voucher>> {
    return super.patch(principal, key, patch, tx);
  }
}

export const voucherFaults = [
  {
    name: 'a bulk request at another site',
    rule: 'keeps what a bulk',
    module: operated({ bulk: misplacedBulk }),
  },
  {
    name: 'an expansion without its site',
    rule: 'expands nothing',
    module: operated({}, { provide: VoucherService, useClass: UnfencedExpansion }),
  },
  {
    name: 'a creation that overwrites',
    rule: 'creates only with If-None-Match',
    module: operated({}, { provide: VoucherService, useClass: Overwriting }),
  },
  {
    name: 'a change regardless of If-None-Match',
    rule: 'refuses the entity tag of the object in If-None-Match',
    module: operated({}, { provide: VoucherService, useClass: Changing }),
  },
];
