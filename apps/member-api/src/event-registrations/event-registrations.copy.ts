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
        apply: ({ data, aggregate_version: version }, manager) => registrations.applyEvent(manager, data, version),
      }),
      copyPart({
        reader: 'event-registrations',
        stream: 'SCHOOL',
        events: eventRegistrationEvents,
        table: 'event_registration',
        apply: async ({ data, aggregate_version: version }, manager) => {
          const { person_id } = data;
          // Comes once more, as `linked`, when the person is known.
          if (person_id !== null) await registrations.applyRegistration(manager, { ...data, person_id }, version);
        },
      }),
    ];
  }
}
