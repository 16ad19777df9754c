import { Injectable, Logger } from '@nestjs/common';
import { Mailer, greeting, mailLine } from '@lyceum/mail';
import { ACCOUNT, PASSKEYS, PASSWORD_RESET_PATH } from '#src/protocol/paths.js';
import type { SiteRecord } from '#src/sites/site.js';

export interface Recipient {
  readonly email: string;
  readonly name: string;
}

/** Mails about changes of the sign-in, so that the person notices a theft (NIST SP 800-63B §4.6). */
@Injectable()
export class SecurityNotices {
  readonly #logger = new Logger(SecurityNotices.name);

  constructor(private readonly mailer: Mailer) {}

  /** `removed`: names of the passkeys that were removed with the old password. */
  passwordChanged(site: SiteRecord, to: Recipient, removed: readonly string[] = []): Promise<void> {
    return this.#send(site, to, `Your password at ${site.name} was changed`, [
      `The password of your account at ${site.name} was changed. All other browsers were signed out, and all applications were disconnected.`,
      ...(removed.length === 0
        ? []
        : ['', 'These passkeys were removed:', ...removed.map((name) => `- ${mailLine(name)}`)]),
      '',
      `Your passkeys: ${site.base_url}${PASSKEYS}`,
    ]);
  }

  passkeyAdded(site: SiteRecord, to: Recipient, name: string): Promise<void> {
    return this.#send(site, to, `A passkey was added to your account at ${site.name}`, [
      `The passkey "${mailLine(name)}" was added to your account at ${site.name}. It signs you in without your password.`,
      '',
      `Your passkeys: ${site.base_url}${PASSKEYS}`,
    ]);
  }

  passkeyRemoved(site: SiteRecord, to: Recipient, name: string): Promise<void> {
    return this.#send(site, to, `A passkey was removed from your account at ${site.name}`, [
      `The passkey "${mailLine(name)}" was removed from your account at ${site.name}. It no longer signs you in.`,
      '',
      `Your passkeys: ${site.base_url}${PASSKEYS}`,
    ]);
  }

  /** The change succeeds even if the mail server refuses the mail. */
  async #send(site: SiteRecord, { email, name }: Recipient, subject: string, lines: readonly string[]): Promise<void> {
    const help = [
      'If this was you, nothing needs to be done.',
      `If it was not, set a new password now: ${site.base_url}${PASSWORD_RESET_PATH}`,
      `See what has access to your account: ${site.base_url}${ACCOUNT}`,
    ];
    const text = [greeting(name), '', ...lines, '', ...help].join('\r\n');
    try {
      await this.mailer.send({ to: email, fromName: site.name, subject, text });
    } catch (error) {
      this.#logger.error({ msg: 'failed to send a security notice', err: error });
    }
  }
}
