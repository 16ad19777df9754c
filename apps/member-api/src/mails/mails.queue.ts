import { Injectable } from '@nestjs/common';
import { JobQueue } from '@lyceum/jobs';
import type { Job, QueueDeclaration } from '@lyceum/jobs';
import { Sql } from '@lyceum/platform';
import { isDigest } from '#src/notification-subscriptions/digest.policy.js';
import { isDigestTopic, sameSubscription } from '#src/notification-subscriptions/digest.statements.js';

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

/** A mail is tried later: younger mails of its subscription are due with it. */
const POSTPONE = {
  name: 'postpone_mails',
  text: `
    with waiting as materialized (
      select o.mail_id, head.due_at
      from outbound_mails head join outbound_mails o on ${sameSubscription('o', 'head')}
      where head.mail_id = $1 and head.ended_at is null and o.ended_at is null and o.due_at < head.due_at
        and (o.created_at, o.mail_id) > (head.created_at, head.mail_id)
      order by o.created_at, o.mail_id for update of o skip locked)
    update outbound_mails o set due_at = waiting.due_at
    from waiting where o.mail_id = waiting.mail_id returning 1 as one`,
};

@Injectable()
export class MailsQueue extends JobQueue<WaitingMail> {
  constructor(private readonly database: Sql) {
    super(MAILS, database);
  }

  /** Those that wait for a failed mail wait with it: they are not ready, and each claim would read them. */
  override async fail(job: Job<WaitingMail>, failure: string, permanent = false): Promise<boolean> {
    const dead = await super.fail(job, failure, permanent);
    if (!dead && isDigest(job.topic)) await this.database.query(POSTPONE, [job.mail_id]);
    return dead;
  }
}
