import { Injectable } from '@nestjs/common';
import type { StateVersion } from '@lyceum/contracts';
import type { Job } from '@lyceum/jobs';
import type { EntityManager } from 'typeorm';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { MINUTES_BEFORE, reminderOf } from './reminders.policy.js';
import type { Appointment } from './reminders.policy.js';
import type { DueReminder } from './reminders.queue.js';
import { RemindersRepository } from './reminders.repository.js';

/** Sends reminders of events and sessions. A reminder is a row with a due time; one replica sends it once. */
@Injectable()
export class RemindersService {
  constructor(
    private readonly reminders: RemindersRepository,
    private readonly fanOuts: FanOutsService,
  ) {}

  /** Runs in the transaction of the event that created, moved or canceled the appointment. */
  async plan(tx: EntityManager, appointment: Appointment, state: StateVersion): Promise<void> {
    await this.reminders.plan(tx, appointment, state, MINUTES_BEFORE);
  }

  /** Removes those of an appointment whose member is erased, or not known. */
  async remove(tx: EntityManager, subject_id: string, state: StateVersion): Promise<void> {
    await this.reminders.remove(tx, subject_id, state);
  }

  async send(reminder: Job<DueReminder>): Promise<void> {
    await this.reminders.send(reminder, (tx) => this.#send(tx, reminder));
  }

  async sweep(size: number): Promise<number> {
    return this.reminders.sweep(size);
  }

  async #send(tx: EntityManager, due: DueReminder): Promise<void> {
    const { subject_id, minutes_before, site_id, starts, title, path, person_id, person_subject_id } = due;
    // It is claimed and ends: one that stayed due would be read by each claim.
    if (title === null) return;
    await this.fanOuts.enqueue(tx, {
      ...reminderOf({ subject_id, title, person_id }, minutes_before),
      site_id,
      occasion: `reminder:${subject_id}:${starts}:${minutes_before}`,
      path,
      subject_id: person_subject_id,
    });
  }
}
