import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { consultingMeetingEvents, learningEventEvents } from '@lyceum/contracts';
import { EventConsumers } from '@lyceum/messaging';
import { eventAppointment, meetingAppointment } from './reminders.policy.js';
import { RemindersService } from './reminders.service.js';

/** Plans reminders of events and of booked sessions. */
@Injectable()
export class RemindersConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly reminders: RemindersService,
  ) {}

  onModuleInit(): void {
    this.consumers.register({
      name: 'reminders',
      stream: 'SCHOOL',
      events: [learningEventEvents, consultingMeetingEvents],
      handle: async ({ data, aggregate_version }, manager) => {
        const appointment = 'event_id' in data ? eventAppointment(data) : meetingAppointment(data);
        if (appointment !== null) await this.reminders.plan(manager, appointment, aggregate_version);
      },
    });
  }
}
