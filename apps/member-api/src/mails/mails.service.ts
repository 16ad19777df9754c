import { Injectable, Logger } from '@nestjs/common';
import { Mailer, isPermanent } from '@lyceum/mail';
import { MailsRepository } from './mails.repository.js';
import type { ClaimedMail } from './mails.repository.js';
import { retryAfter } from './mail-retry.policy.js';
import { notificationMail } from './notification-mail.policy.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';

/**
 * Sends the mails of notifications. At least once: a replica that dies between the server's answer and the note of it
 * leaves the mail to the next one, which sends it under the same Message-ID.
 */
@Injectable()
export class MailsService {
  readonly #logger = new Logger(MailsService.name);

  constructor(
    private readonly mails: MailsRepository,
    private readonly mailer: Mailer,
    private readonly links: UnsubscribeLinks,
  ) {}

  /** Some of those that are due; false when there is none. */
  async sendSome(): Promise<boolean> {
    const claimed = await this.mails.claim();
    await Promise.all(claimed.map((mail) => this.#send(mail)));
    return claimed.length > 0;
  }

  async sweep(size: number): Promise<number> {
    return this.mails.sweep(size);
  }

  async #send(mail: ClaimedMail): Promise<void> {
    const { mail_id, email, wanted, transactional, attempts } = mail;
    if (!wanted) return this.mails.end(mail_id);
    // Nobody has spoken of the member yet, or they are gone.
    if (email === null) return this.#later(mail_id, attempts);
    const unsubscribe = transactional ? null : this.links.write(mail, mail);
    try {
      await this.mailer.send(notificationMail({ ...mail, email, unsubscribe }));
    } catch (error) {
      this.#logger.warn({ msg: 'a mail was not taken', mail: mail_id, attempts, err: error });
      return isPermanent(error) ? this.mails.end(mail_id) : this.#later(mail_id, attempts);
    }
    await this.mails.end(mail_id);
  }

  async #later(mail_id: string, attempts: number): Promise<void> {
    const seconds = retryAfter(attempts);
    await (seconds === null ? this.mails.end(mail_id) : this.mails.retry(mail_id, seconds));
  }
}
