import { Injectable } from '@nestjs/common';
import { JobQueue } from '@lyceum/jobs';
import type { QueueDeclaration } from '@lyceum/jobs';
import { Sql } from '@lyceum/platform';
import { isDigestTopic, sameSubscription } from '#src/notification-subscriptions/digest.policy.js';

export interface WaitingMail {
  readonly mail_id: string;
  readonly topic: string;
}

export const MAILS: QueueDeclaration = {
  name: 'mails',
  table: 'outbound_mails',
  key: ['mail_id'],
  columns: ['job.mail_id', 'job.topic'],
  // The oldest mail of a subscription decides with which others it is sent.
  ready: `not ${isDigestTopic('job')} or not exists (
    select from outbound_mails o where ${sameSubscription('o', 'job')} and o.ended_at is null
      and (o.created_at, o.mail_id) < (job.created_at, job.mail_id))`,
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
