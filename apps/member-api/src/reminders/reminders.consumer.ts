import { Injectable } from '@nestjs/common';
import { consultingBookingEvents, eventEvents } from '@lyceum/contracts';
import { ConsumesEach } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { eventAppointment, bookingAppointment } from './reminders.policy.js';
import { RemindersService } from './reminders.service.js';

const EVENTS = [eventEvents, consultingBookingEvents] as const;

/** Plans reminders of events and of booked sessions. */
@Injectable()
export class RemindersConsumer {
  constructor(private readonly reminders: RemindersService) {}

  @ConsumesEach(EVENTS, 'reminders')
  async plan({ data, epoch, aggregate_version: version }: EventOf<typeof EVENTS>, tx: EntityManager): Promise<void> {
    const appointment = 'event_id' in data ? eventAppointment(data) : bookingAppointment(data);
    if (appointment !== null) await this.reminders.plan(tx, appointment, { epoch, version });
  }
}
