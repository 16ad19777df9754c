import { Injectable } from '@nestjs/common';
import { Wraps } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { isGrantedNow } from '#src/notifications/kinds.policy.js';
import { stateChanges } from '#src/notifications/state-changes.js';
import { OCCASIONS } from '#src/notifications/occasions.js';
import { ofKnownPeople } from '#src/people/known-people.js';
import { DigitalProductsRepository } from './digital-products.repository.js';
import type { GrantEvent, ProductEvent } from './digital-products.repository.js';

/** Notifies members of the digital products that they get. */
@Injectable()
export class DigitalProductsConsumer {
  constructor(
    private readonly products: DigitalProductsRepository,
    private readonly fanOuts: FanOutsService,
  ) {}

  @Wraps(DigitalProductsRepository, 'applyProducts')
  async applyProducts(events: readonly ProductEvent[], tx: EntityManager): Promise<void> {
    const ids = events.map(({ data }) => data.digital_product_id);
    const stored = await this.products.lockProducts(ids, tx);
    await this.products.applyProducts(events, tx);
    const holders = { audience: 'product_holders', kind: 'product_granted' } as const;
    await this.fanOuts.notifyHolders(tx, stateChanges(stored, events), holders);
  }

  @Wraps(DigitalProductsRepository, 'applyGrants')
  async applyGrants(events: readonly GrantEvent[], tx: EntityManager): Promise<void> {
    const known = ofKnownPeople(events);
    const ids = known.map(({ data }) => data.grant_id);
    const stored = await this.products.lockGrants(ids, tx);
    await this.products.applyGrants(events, tx);
    for (const { before, event } of stateChanges(stored, known)) {
      const { site_id, grant_id, state, granted_at } = event.data;
      if (!isGrantedNow(before, { state, since: granted_at }, Date.now())) continue;
      await this.fanOuts.enqueue(tx, {
        audience: 'product_grant',
        audience_id: grant_id,
        site_id,
        occasion: OCCASIONS.product_granted.of(grant_id),
        kind: 'product_granted',
        parameters: {},
        path: null,
        subject_id: null,
      });
    }
  }
}
