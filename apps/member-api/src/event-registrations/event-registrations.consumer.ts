import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { eventRegistrationEvents, learningEventEvents } from '@lyceum/contracts';
import { EventConsumers } from '@lyceum/messaging';
import { EventRegistrationsRepository } from './event-registrations.repository.js';

/** Copies the events of the school, and who is registered for them. */
@Injectable()
export class EventRegistrationsConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly registrations: EventRegistrationsRepository,
  ) {}

  onModuleInit(): void {
    this.consumers.register({
      name: 'events',
      stream: 'SCHOOL',
      events: [learningEventEvents],
      handle: ({ data, aggregate_version }, manager) => this.registrations.applyEvent(manager, data, aggregate_version),
    });
    this.consumers.register({
      name: 'event-registrations',
      stream: 'SCHOOL',
      events: [eventRegistrationEvents],
      handle: async ({ data, aggregate_version }, manager) => {
        const { person_id } = data;
        // Comes once more, as `linked`, when the person is known.
        if (person_id === null) return;
        await this.registrations.applyRegistration(manager, { ...data, person_id }, aggregate_version);
      },
    });
  }
}
