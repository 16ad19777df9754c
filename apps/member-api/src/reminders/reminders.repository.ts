import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { Kind } from '#src/notifications/kinds.policy.js';
import type { Appointment } from './reminders.policy.js';

/** A reminder that is due, taken by this replica for the time of its transaction. */
export interface DueReminder {
  readonly subject_id: string;
  readonly minutes_before: number;
  readonly site_id: string;
  readonly kind: Kind;
  /** Seconds since 1970: part of the occasion, so that what was moved is reminded of anew. */
  readonly starts: string;
  readonly title: string;
  readonly path: string | null;
  readonly person_id: string | null;
  readonly person_subject_id: string | null;
}

@Injectable()
export class RemindersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Plans the reminders of an appointment, or plans them anew when it was moved or called off. One whose time has passed
   * when it is planned is not sent: whoever registers late need not be reminded of tomorrow today.
   */
  async plan(
    manager: EntityManager,
    appointment: Appointment,
    version: number,
    minutes: readonly number[],
  ): Promise<void> {
    const { subject_id, site_id, kind, starts_at, title, path, person_id, person_subject_id } = appointment;
    await manager.query(
      `INSERT INTO reminder AS old (subject_id, minutes_before, site_id, kind, version, starts_at, due_at, title, path, person_id,
                                    person_subject_id, sent_at)
       SELECT $1, before, $2, $3, $4, $5, at, $6, $7, $8, $9, CASE WHEN at <= now() THEN now() END
       FROM unnest($10::int[]) before
       CROSS JOIN LATERAL (SELECT $5::timestamptz - make_interval(mins => before) AS at) due
       ON CONFLICT (subject_id, minutes_before) DO UPDATE
         SET version = excluded.version, starts_at = excluded.starts_at, due_at = excluded.due_at,
             title = excluded.title, path = excluded.path, person_id = excluded.person_id,
             person_subject_id = excluded.person_subject_id,
             sent_at = CASE WHEN old.starts_at = excluded.starts_at THEN old.sent_at ELSE excluded.sent_at END
         WHERE old.version < excluded.version`,
      [subject_id, site_id, kind, version, starts_at, title, path, person_id, person_subject_id, minutes],
    );
  }

  /** Takes one that is due, and does the work in its transaction; false when there is none. What has begun is let go. */
  async takeDue(work: (manager: EntityManager, reminder: DueReminder) => Promise<void>): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const [[due]] = await manager.query<[(DueReminder & { readonly over: boolean })[], number]>(
        `UPDATE reminder SET sent_at = now()
         WHERE (subject_id, minutes_before) = (
           SELECT subject_id, minutes_before FROM reminder
           WHERE sent_at IS NULL AND title IS NOT NULL AND due_at <= now()
           ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING subject_id, minutes_before, site_id, kind, extract(epoch FROM starts_at)::bigint::text AS starts, title, path,
                   person_id, person_subject_id, starts_at <= now() AS over`,
      );
      if (due === undefined) return false;
      if (!due.over) await work(manager, due);
      return true;
    });
  }

  /** Forgets some of what started long ago; says how many. */
  async sweep(size: number): Promise<number> {
    const rows = await this.dataSource.query<unknown[]>(
      `WITH old AS (SELECT subject_id, minutes_before FROM reminder WHERE due_at < now() - interval '31 days'
                    LIMIT $1 FOR UPDATE SKIP LOCKED),
            gone AS (DELETE FROM reminder r USING old
                     WHERE r.subject_id = old.subject_id AND r.minutes_before = old.minutes_before RETURNING 1)
       SELECT FROM gone`,
      [size],
    );
    return rows.length;
  }
}
