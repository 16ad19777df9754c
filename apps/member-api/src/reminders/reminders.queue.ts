import { Injectable } from '@nestjs/common';
import { JobQueue } from '@lyceum/jobs';
import type { QueueDeclaration } from '@lyceum/jobs';
import { Sql } from '@lyceum/platform';
import type { ReminderKind } from './reminders.policy.js';

/** A reminder that is due. */
export interface DueReminder {
  readonly subject_id: string;
  readonly minutes_before: number;
  readonly site_id: string;
  readonly kind: ReminderKind;
  /** Seconds since 1970. Part of the occasion, so that a moved appointment gets new reminders. */
  readonly starts: string;
  /** Null for an appointment that needs none anymore. */
  readonly title: string | null;
  readonly path: string | null;
  readonly person_id: string | null;
  readonly person_subject_id: string | null;
  /** True when the appointment has begun. */
  readonly over: boolean;
}

export const REMINDERS: QueueDeclaration = {
  name: 'reminders',
  table: 'reminders',
  key: ['subject_id', 'minutes_before'],
  columns: [
    ...['subject_id', 'minutes_before', 'site_id', 'kind', 'title', 'path', 'person_id', 'person_subject_id'].map(
      (column) => `job.${column}`,
    ),
    'extract(epoch from job.starts_at)::bigint::text as starts',
    'job.starts_at <= now() as over',
  ],
  leaseSeconds: 30,
  attempts: 10,
  firstRetrySeconds: 5,
  longestRetrySeconds: 300,
  sites: 8,
  jobsOfSite: 5,
};

@Injectable()
export class RemindersQueue extends JobQueue<DueReminder> {
  constructor(sql: Sql) {
    super(REMINDERS, sql);
  }
}
