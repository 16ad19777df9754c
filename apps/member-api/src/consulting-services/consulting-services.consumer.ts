import { Injectable } from '@nestjs/common';
import { Wraps } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { isGrantedNow, isRecent } from '#src/notifications/kinds.policy.js';
import { stateChanges } from '#src/notifications/state-changes.js';
import { OCCASIONS } from '#src/notifications/occasions.js';
import { ofKnownPeople } from '#src/people/known-people.js';
import { bookingNotice } from './booking-notice.policy.js';
import { ConsultingServicesRepository } from './consulting-services.repository.js';
import type { BookingEvent, PurchaseEvent, ServiceEvent } from './consulting-services.repository.js';

/** Notifies members of their purchases and booked sessions. */
@Injectable()
export class ConsultingServicesConsumer {
  constructor(
    private readonly services: ConsultingServicesRepository,
    private readonly fanOuts: FanOutsService,
  ) {}

  @Wraps(ConsultingServicesRepository, 'applyServices')
  async applyServices(events: readonly ServiceEvent[], tx: EntityManager): Promise<void> {
    const ids = events.map(({ data }) => data.consulting_service_id);
    const stored = await this.services.lockServices(ids, tx);
    await this.services.applyServices(events, tx);
    const holders = { audience: 'service_holders', kind: 'consulting_granted' } as const;
    await this.fanOuts.notifyHolders(tx, stateChanges(stored, events), holders);
  }

  @Wraps(ConsultingServicesRepository, 'applyPurchases')
  async applyPurchases(events: readonly PurchaseEvent[], tx: EntityManager): Promise<void> {
    const known = ofKnownPeople(events);
    const ids = known.map(({ data }) => data.purchase_id);
    const stored = await this.services.lockPurchases(ids, tx);
    await this.services.applyPurchases(events, tx);
    for (const { before, event } of stateChanges(stored, known)) {
      const { site_id, purchase_id, state, purchased_at } = event.data;
      if (!isGrantedNow(before, { state, since: purchased_at }, Date.now())) continue;
      await this.fanOuts.enqueue(tx, {
        audience: 'consulting_purchase',
        audience_id: purchase_id,
        site_id,
        occasion: OCCASIONS.consulting_granted.of(purchase_id),
        kind: 'consulting_granted',
        parameters: {},
        path: null,
        subject_id: null,
      });
    }
  }

  @Wraps(ConsultingServicesRepository, 'applyBookings')
  async applyBookings(events: readonly BookingEvent[], tx: EntityManager): Promise<void> {
    const known = ofKnownPeople(events);
    const ids = known.map(({ data }) => data.booking_id);
    const stored = await this.services.lockBookings(ids, tx);
    await this.services.applyBookings(events, tx);
    for (const { before, event } of stateChanges(stored, known)) {
      const { data, epoch, aggregate_version: version, occurred_at } = event;
      const kind = bookingNotice(before, data, Date.now());
      if (kind === null || !isRecent(occurred_at, Date.now())) continue;
      const { site_id, booking_id } = data;
      // A booking moves several times.
      const occasion = kind === 'booking_moved' ? `${kind}:${booking_id}:${epoch}:${version}` : `${kind}:${booking_id}`;
      await this.fanOuts.enqueue(tx, {
        audience: 'booking',
        audience_id: booking_id,
        site_id,
        occasion,
        kind,
        parameters: {},
        path: null,
        subject_id: null,
      });
    }
  }
}
