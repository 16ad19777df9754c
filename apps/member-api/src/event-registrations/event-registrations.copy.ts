import { Injectable } from '@nestjs/common';
import { eventRegistrationEvents, learningEventEvents } from '@lyceum/contracts';
import { copyPart } from '@lyceum/messaging';
import type { Copy } from '@lyceum/messaging';
import { EventRegistrationsRepository } from './event-registrations.repository.js';

/** The events of the school, and who is registered for them. */
@Injectable()
export class EventRegistrationsCopy implements Copy {
  readonly name = 'event-registrations';
  readonly parts: Copy['parts'];

  constructor(registrations: EventRegistrationsRepository) {
    this.parts = [
      copyPart({
        reader: 'events',
        stream: 'SCHOOL',
        events: learningEventEvents,
        table: 'event',
        apply: (events, manager) => registrations.applyEvents(manager, events),
      }),
      copyPart({
        reader: 'event-registrations',
        stream: 'SCHOOL',
        events: eventRegistrationEvents,
        table: 'event_registration',
        apply: (events, manager) => registrations.applyRegistrations(manager, events),
      }),
    ];
  }
}
