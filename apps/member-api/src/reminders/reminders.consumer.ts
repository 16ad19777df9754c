import { Injectable } from '@nestjs/common';
import { consultingBookingEvents, eventEvents } from '@lyceum/contracts';
import { ConsumesEach } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { withoutErased } from '#src/people/member-erasures.js';
import { eventAppointment, bookingAppointment } from './reminders.policy.js';
import { RemindersService } from './reminders.service.js';

const EVENTS = [eventEvents, consultingBookingEvents] as const;

/** Plans reminders of events and of booked sessions. */
@Injectable()
export class RemindersConsumer {
  constructor(private readonly reminders: RemindersService) {}

  @ConsumesEach(EVENTS, 'reminders')
  async plan(event: EventOf<typeof EVENTS>, tx: EntityManager): Promise<void> {
    const { data, occurred_at, epoch, aggregate_version: version } = event;
    const state = { epoch, version };
    if ('event_id' in data) return this.reminders.plan(tx, eventAppointment(data), state);
    const appointment = bookingAppointment(data);
    if (appointment === null) return this.reminders.remove(tx, data.booking_id, state);
    const [current] = await withoutErased([{ data, occurred_at }], tx);
    if (current !== undefined) await this.reminders.plan(tx, appointment, state);
  }
}
