import { Injectable } from '@nestjs/common';
import { JobQueue } from '@lyceum/jobs';
import type { QueueDeclaration } from '@lyceum/jobs';
import { Sql } from '@lyceum/platform';

export interface WaitingMail {
  readonly site_id: string;
  readonly mail_id: string;
}

export const MAILS: QueueDeclaration = {
  name: 'mails',
  table: 'mails',
  key: ['site_id', 'mail_id'],
  columns: ['job.site_id', 'job.mail_id'],
  // Longer than the timeouts of the mail server.
  leaseSeconds: 120,
  // The last attempt is some two days after the first.
  attempts: 14,
  firstRetrySeconds: 30,
  longestRetrySeconds: 6 * 3_600,
  sites: 8,
  jobsOfSite: 5,
};

@Injectable()
export class MailsQueue extends JobQueue<WaitingMail> {
  constructor(sql: Sql) {
    super(MAILS, sql);
  }
}
