import type { OfSite } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ConsultingPurchaseService } from '#src/consulting-purchases/consulting-purchase.service.js';
import type { Fulfillment, Sale, Sold, SoldUnits } from './fulfillment.js';
import { buyerOf } from './fulfillment.policy.js';

/** Gives one purchase with the sessions of a consulting service, as often as the quantity says. */
@Injectable()
export class ConsultingFulfillment implements Fulfillment {
  readonly item_type = 'consulting_sessions';
  readonly items = {
    table: 'consulting_services',
    hasExternalId: true,
    parent: null,
    withdrawn: `state = 'archived'`,
  };
  readonly countable = true;

  constructor(private readonly purchases: ConsultingPurchaseService) {}

  sell(site: OfSite, sales: readonly Sale[], tx: EntityManager): Promise<readonly string[]> {
    const lines = sales.map(({ item_id, quantity }) => ({ consulting_service_id: item_id, quantity }));
    return this.purchases.sell(site, buyerOf(sales), lines, tx);
  }

  async takeBack(site: OfSite, { granted_id }: Sold, tx: EntityManager): Promise<boolean> {
    await this.purchases.takeBack(site, { id: granted_id }, tx);
    return true;
  }

  takeUnits(site: OfSite, { granted_id, refunded, of }: Sold & SoldUnits, tx: EntityManager): Promise<void> {
    return this.purchases.takeUnits(site, { id: granted_id, refunded, of }, tx);
  }
}
