import { Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { MailConfiguration } from './environment.js';
import { FolderTransport } from './folder.transport.js';
import type { Mail, MailTransport } from './mail.js';
import { withoutAddresses } from './refusal.policy.js';
import { SmtpTransport } from './smtp.transport.js';

/** Sends mails by the deployment's SMTP server, or writes them to a folder. */
export class Mailer implements OnApplicationShutdown {
  readonly #logger = new Logger(Mailer.name);
  readonly #transport: MailTransport | undefined;

  constructor({ MAIL_SMTP_URL, MAIL_FROM, MAIL_DIRECTORY }: MailConfiguration) {
    if (MAIL_SMTP_URL !== undefined) this.#transport = new SmtpTransport(MAIL_SMTP_URL, MAIL_FROM);
    else if (MAIL_DIRECTORY !== undefined) this.#transport = new FolderTransport(MAIL_DIRECTORY, MAIL_FROM);
  }

  /**
   * @throws an `Error` without mail addresses when the mail was not accepted; `isPermanent` tells whether a retry is
   * useless.
   */
  async send(mail: Mail): Promise<void> {
    if (this.#transport === undefined) {
      this.#logger.warn('A mail was not sent: neither MAIL_SMTP_URL nor MAIL_DIRECTORY is set');
      return;
    }
    try {
      // No program replies to it (RFC 3834 §5).
      await this.#transport.send({ ...mail, headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers } });
    } catch (error) {
      throw withoutAddresses(error);
    }
  }

  onApplicationShutdown(): void {
    this.#transport?.close();
  }
}
