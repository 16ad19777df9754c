import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { consultingMeetingEvents, consultingPurchaseEvents, consultingServiceEvents } from '@lyceum/contracts';
import { EventConsumers } from '@lyceum/messaging';
import { ConsultingServicesRepository } from './consulting-services.repository.js';

/** Copies consulting services, the sessions that people have of them, and what they booked, from the school. */
@Injectable()
export class ConsultingServicesConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly services: ConsultingServicesRepository,
  ) {}

  /** Without a person an event comes once more, as `linked`, when the person is known. */
  onModuleInit(): void {
    this.consumers.register({
      name: 'consulting-services',
      stream: 'SCHOOL',
      events: [consultingServiceEvents],
      handle: ({ data, aggregate_version }, manager) => this.services.applyService(manager, data, aggregate_version),
    });
    this.consumers.register({
      name: 'consulting-purchases',
      stream: 'SCHOOL',
      events: [consultingPurchaseEvents],
      handle: async ({ data, aggregate_version }, manager) => {
        const { person_id } = data;
        if (person_id !== null) await this.services.applyPurchase(manager, { ...data, person_id }, aggregate_version);
      },
    });
    this.consumers.register({
      name: 'consulting-meetings',
      stream: 'SCHOOL',
      events: [consultingMeetingEvents],
      handle: async ({ data, aggregate_version }, manager) => {
        const { person_id } = data;
        if (person_id !== null) await this.services.applyMeeting(manager, { ...data, person_id }, aggregate_version);
      },
    });
  }
}
