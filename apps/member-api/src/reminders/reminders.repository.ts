import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { Appointment, ReminderKind } from './reminders.policy.js';

/** A reminder that is due, taken by this replica for the time of its transaction. */
export interface DueReminder {
  readonly subject_id: string;
  readonly minutes_before: number;
  readonly site_id: string;
  readonly kind: ReminderKind;
  /** Seconds since 1970: part of the occasion, so that what was moved is reminded of anew. */
  readonly starts: string;
  readonly title: string;
  readonly path: string | null;
  readonly person_id: string | null;
  readonly person_subject_id: string | null;
}

/** The place of an event in the history of its aggregate. */
export interface Position {
  readonly epoch: number;
  readonly version: number;
}

@Injectable()
export class RemindersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Plans the reminders of an appointment, or plans them anew when it was moved or called off. One whose time has passed
   * when it is planned is not sent: whoever registers late need not be reminded of tomorrow today.
   */
  async plan(
    tx: EntityManager,
    appointment: Appointment,
    { epoch, version }: Position,
    minutes: readonly number[],
  ): Promise<void> {
    const { subject_id, site_id, kind, starts_at, title, path, person_id, person_subject_id } = appointment;
    await tx.query(
      `insert into reminder as old (subject_id, minutes_before, site_id, kind, version, starts_at, due_at, title, path, person_id,
                                    person_subject_id, sent_at, epoch)
       select $1, before, $2, $3, $4, $5, at, $6, $7, $8, $9, case when at <= now() then now() end, $11
       from unnest($10::int[]) before
       cross join lateral (select $5::timestamptz - make_interval(mins => before) as at) due
       on conflict (subject_id, minutes_before) do update
         set epoch = excluded.epoch, version = excluded.version, starts_at = excluded.starts_at, due_at = excluded.due_at,
             title = excluded.title, path = excluded.path, person_id = excluded.person_id,
             person_subject_id = excluded.person_subject_id,
             sent_at = case when old.starts_at = excluded.starts_at then old.sent_at else excluded.sent_at end
         where (old.epoch, old.version) < (excluded.epoch, excluded.version)`,
      [subject_id, site_id, kind, version, starts_at, title, path, person_id, person_subject_id, minutes, epoch],
    );
  }

  /** Takes one that is due, and does the work in its transaction; false when there is none. What has begun is let go. */
  async takeDue(work: (tx: EntityManager, reminder: DueReminder) => Promise<void>): Promise<boolean> {
    return this.dataSource.transaction(async (tx) => {
      const [[due]] = await tx.query<[(DueReminder & { readonly over: boolean })[], number]>(
        `update reminder set sent_at = now()
         where (subject_id, minutes_before) = (
           select subject_id, minutes_before from reminder
           where sent_at is null and title is not null and due_at <= now()
           order by due_at limit 1 for update skip locked)
         returning subject_id, minutes_before, site_id, kind, extract(epoch from starts_at)::bigint::text as starts, title, path,
                   person_id, person_subject_id, starts_at <= now() as over`,
      );
      if (due === undefined) return false;
      if (!due.over) await work(tx, due);
      return true;
    });
  }

  /** Forgets some of what started long ago; says how many. */
  async sweep(size: number): Promise<number> {
    const rows = await this.dataSource.query<unknown[]>(
      `with old as (select subject_id, minutes_before from reminder where due_at < now() - interval '31 days'
                    limit $1 for update skip locked),
            gone as (delete from reminder r using old
                     where r.subject_id = old.subject_id and r.minutes_before = old.minutes_before returning 1)
       select from gone`,
      [size],
    );
    return rows.length;
  }
}
