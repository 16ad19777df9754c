import { wholeTheme } from '@lyceum/contracts';
import { decrypt, encrypt } from '@lyceum/platform';
import type { SecretKeys } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuthSettings } from '#src/auth.environment.js';
import { sha256 } from '#src/secrets/digest.js';
import type { NewMail, QueuedMail } from './mail.js';
import type { WaitingMail } from './mails.queue.js';
import { MailsRepository } from './mails.repository.js';

/** Seals the token of a link until its mail is sent. The site and the digest tie it to its row. */
const contextOf = (siteId: string, digest: Buffer): string => `mail\n${siteId}\n${digest.toString('hex')}`;

/** Mails to people about their account. A mail is queued in the transaction of its cause. */
@Injectable()
export class MailsService {
  constructor(
    private readonly mails: MailsRepository,
    private readonly settings: AuthSettings,
  ) {}

  async add(manager: EntityManager, mail: NewMail): Promise<void> {
    await this.mails.insert(manager, mail, mail.token === undefined ? undefined : this.#seal(mail.site_id, mail.token));
  }

  /** Undefined when the mail has lost its purpose: the person was deleted, or the link is no longer open. */
  async read(waiting: WaitingMail): Promise<QueuedMail | undefined> {
    const row = await this.mails.read(waiting);
    if (row === undefined) return undefined;
    const { token_hash, sealed_token, expires_at, theme: stored, ...rest } = row;
    const mail = { ...rest, theme: wholeTheme(stored ?? undefined) };
    if (token_hash === null || sealed_token === null || expires_at === null) return { ...mail, link: undefined };
    const token = decrypt(this.#keys, contextOf(waiting.site_id, token_hash), sealed_token);
    return { ...mail, link: { token, expires_at } };
  }

  #seal(siteId: string, token: string) {
    const token_hash = sha256(token);
    return { token_hash, sealed_token: encrypt(this.#keys, contextOf(siteId, token_hash), token) };
  }

  get #keys(): SecretKeys {
    return this.settings.values.KEY_ENCRYPTION_KEY;
  }
}
