import { Injectable } from '@nestjs/common';
import type { StateVersion } from '@lyceum/contracts';
import type { Job } from '@lyceum/jobs';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { Appointment } from './reminders.policy.js';
import { RemindersQueue } from './reminders.queue.js';
import type { DueReminder } from './reminders.queue.js';

@Injectable()
export class RemindersRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: RemindersQueue,
  ) {}

  /**
   * Plans the reminders of an appointment, and plans them again when it was moved or canceled. A reminder that is
   * already due when it is planned is not sent: a member who registers late needs no reminder of the same day.
   */
  async plan(
    tx: EntityManager,
    appointment: Appointment,
    { epoch, version }: StateVersion,
    minutes: readonly number[],
  ): Promise<void> {
    const { subject_id, site_id, kind, starts_at, title, path, person_id, person_subject_id } = appointment;
    await tx.query(
      `insert into reminders as old (subject_id, minutes_before, site_id, kind, version, starts_at, due_at, title, path, person_id,
                                    person_subject_id, ended_at, epoch)
       select $1, before, $2, $3, $4, $5, at, $6, $7, $8, $9, case when at <= now() then now() end, $11
       from unnest($10::int[]) before
       cross join lateral (select $5::timestamptz - make_interval(mins => before) as at) due
       on conflict (subject_id, minutes_before) do update
         set epoch = excluded.epoch, version = excluded.version, starts_at = excluded.starts_at, due_at = excluded.due_at,
             title = excluded.title, path = excluded.path, person_id = excluded.person_id,
             person_subject_id = excluded.person_subject_id,
             ended_at = case when old.starts_at = excluded.starts_at then old.ended_at else excluded.ended_at end,
             failure = case when old.starts_at = excluded.starts_at then old.failure end,
             attempts = case when old.starts_at = excluded.starts_at then old.attempts else 0 end
         where (old.epoch, old.version) < (excluded.epoch, excluded.version)`,
      [subject_id, site_id, kind, version, starts_at, title, path, person_id, person_subject_id, minutes, epoch],
    );
  }

  /** Removes the reminders of an earlier state of an appointment. */
  async remove(tx: EntityManager, subject_id: string, { epoch, version }: StateVersion): Promise<void> {
    const text = 'delete from reminders where subject_id = $1 and (epoch, version) <= ($2, $3)';
    await tx.query(text, [subject_id, epoch, version]);
  }

  /** Completes the reminder in the transaction of its delivery. Skips it when its appointment was moved. */
  async send(reminder: Job<DueReminder>, work: (tx: EntityManager) => Promise<void>): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      await this.queue.end(reminder, tx);
      if (!reminder.over) await work(tx);
    });
  }

  /** Removes a batch of old appointments and returns their number. */
  async sweep(size: number): Promise<number> {
    const rows = await this.dataSource.query<unknown[]>(
      `with old as (select subject_id, minutes_before from reminders
                    where coalesce(ended_at, due_at) < now() - interval '31 days'
                    order by coalesce(ended_at, due_at) limit $1 for update skip locked),
            gone as (delete from reminders r using old
                     where r.subject_id = old.subject_id and r.minutes_before = old.minutes_before returning 1)
       select from gone`,
      [size],
    );
    return rows.length;
  }
}
