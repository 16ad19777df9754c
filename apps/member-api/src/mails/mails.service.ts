import { Injectable } from '@nestjs/common';
import { PermanentFailure } from '@lyceum/jobs';
import type { Job } from '@lyceum/jobs';
import { wordsOf } from '@lyceum/platform';
import { Mailer, isPermanent } from '@lyceum/mail';
import { MAILS, MailsQueue } from './mails.queue.js';
import type { WaitingMail } from './mails.queue.js';
import { MailsRepository } from './mails.repository.js';
import { notificationMail } from './notification-mail.policy.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';

/**
 * Sends the mails of notifications at least once. If a replica crashes between the response of the mail server and the
 * end of the job, another replica sends the mail again with the same Message-ID.
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
    const mail = await this.mails.read(job.mail_id);
    if (mail?.wanted !== true) return this.queue.end(job);
    const { email, transactional } = mail;
    if (email === null) return this.#waitForAddress(job);
    const unsubscribe = transactional ? null : this.links.write(mail, mail);
    try {
      await this.mailer.send(notificationMail({ ...mail, email, unsubscribe }));
    } catch (error) {
      throw isPermanent(error) ? new PermanentFailure(wordsOf(error), { cause: error }) : error;
    }
    await this.queue.end(job);
  }

  async sweep(size: number): Promise<number> {
    return this.mails.sweep(size);
  }

  /** Either the events of the member have not arrived yet, or the member has left. The latter is no failure. */
  async #waitForAddress(job: Job<WaitingMail>): Promise<void> {
    if (job.attempts >= MAILS.attempts) await this.queue.end(job);
    else await this.queue.fail(job, 'The member has no address');
  }
}
