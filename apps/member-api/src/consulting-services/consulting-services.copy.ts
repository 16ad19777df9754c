import { Injectable } from '@nestjs/common';
import { consultingMeetingEvents, consultingPurchaseEvents, consultingServiceEvents } from '@lyceum/contracts';
import { copyPart } from '@lyceum/messaging';
import type { Copy } from '@lyceum/messaging';
import { ConsultingServicesRepository } from './consulting-services.repository.js';

/** Consulting services, the sessions that people have of them, and what they booked, as the school says. */
@Injectable()
export class ConsultingServicesCopy implements Copy {
  readonly name = 'consulting-services';
  readonly parts: Copy['parts'];

  constructor(services: ConsultingServicesRepository) {
    this.parts = [
      copyPart({
        reader: 'consulting-services',
        stream: 'SCHOOL',
        events: consultingServiceEvents,
        table: 'consulting_service',
        apply: (events, manager) => services.applyServices(manager, events),
      }),
      copyPart({
        reader: 'consulting-purchases',
        stream: 'SCHOOL',
        events: consultingPurchaseEvents,
        table: 'consulting_purchase',
        apply: (events, manager) => services.applyPurchases(manager, events),
      }),
      copyPart({
        reader: 'consulting-meetings',
        stream: 'SCHOOL',
        events: consultingMeetingEvents,
        table: 'consulting_meeting',
        apply: (events, manager) => services.applyMeetings(manager, events),
      }),
    ];
  }
}
