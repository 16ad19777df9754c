import { Injectable } from '@nestjs/common';
import { PermanentFailure } from '@lyceum/jobs';
import type { Job } from '@lyceum/jobs';
import { errorMessage } from '@lyceum/platform';
import { Mailer, isPermanent } from '@lyceum/mail';
import { isDigest } from '#src/notification-subscriptions/digest.policy.js';
import { MAILS, MailsQueue } from './mails.queue.js';
import type { WaitingMail } from './mails.queue.js';
import { MailsRepository } from './mails.repository.js';
import type { Mail } from './mails.repository.js';
import type { NotificationParts } from './notification-mail.policy.js';
import { digestMail } from './digest-mail.policy.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';

/**
 * Sends the mails of notifications at least once. If a replica crashes between the response of the mail server and the
 * end of the job, another replica sends the mail again with the same Message-ID. Mails of one subscription that wait at
 * the same time are sent as one.
 */
@Injectable()
export class MailsService {
  constructor(
    private readonly mails: MailsRepository,
    private readonly queue: MailsQueue,
    private readonly mailer: Mailer,
    private readonly links: UnsubscribeLinks,
  ) {}

  async send(job: Job<WaitingMail>): Promise<void> {
    const others = isDigest(job.topic) ? await this.mails.gather(job.mail_id) : [];
    const waiting = await this.mails.read(job.mail_id, others);
    const owner = waiting.find(({ mail_id }) => mail_id === job.mail_id)?.digest_id ?? job.mail_id;
    // Another replica gathered it in the moment of the claim.
    if (owner !== job.mail_id) throw new Error('Another mail has this one');
    const [first, ...rest] = waiting.filter(({ wanted }) => wanted);
    if (first === undefined) return this.mails.end(job, others);
    const { email, transactional } = first;
    if (email === null) return this.#waitForAddress(job, others);
    const unsubscribe = transactional ? null : this.links.write(first, first);
    const partsOf = (mail: Mail): NotificationParts => ({ ...mail, email, unsubscribe });
    try {
      await this.mailer.send(digestMail(job.mail_id, [partsOf(first), ...rest.map(partsOf)]));
    } catch (error) {
      const isLast = isPermanent(error) || job.attempts >= MAILS.attempts;
      const failure = errorMessage(error);
      if (isLast) await this.mails.deadLetter(others, failure);
      throw isPermanent(error) ? new PermanentFailure(failure, { cause: error }) : error;
    }
    await this.mails.end(job, others);
  }

  async sweep(size: number): Promise<number> {
    return this.mails.sweep(size);
  }

  /** Either the events of the member have not arrived yet, or the member has left. The latter is no failure. */
  async #waitForAddress(job: Job<WaitingMail>, others: readonly string[]): Promise<void> {
    if (job.attempts >= MAILS.attempts) await this.mails.end(job, others);
    else await this.queue.fail(job, 'The member has no address');
  }
}
