import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import type { NewMail, QueuedMail } from './mail.js';
import type { WaitingMail } from './mails.queue.js';

export interface SealedLink {
  readonly token_hash: Buffer;
  readonly sealed_token: Buffer;
}

export interface MailRow extends Omit<QueuedMail, 'link'> {
  readonly token_hash: Buffer | null;
  readonly sealed_token: Buffer | null;
  /** Null without a link. */
  readonly expires_at: Date | null;
}

/** Omits the mail of a deleted person, and of a link that was used or replaced or has expired. */
const READ = `
  select m.mail_id, m.kind, m.passkeys, m.token_hash, m.sealed_token, i.expires_at,
         p.email, p.name, s.name as site_name, s.base_url
  from mails m
  join people p on p.person_id = m.person_id and p.state <> 'deleted'
  join sites s on s.site_id = m.site_id
  left join invitations i on i.token_hash = m.token_hash and i.used_at is null and i.expires_at > now()
                         and p.state = 'active'
  where m.site_id = $1 and m.mail_id = $2 and (m.token_hash is null) = (i.token_hash is null)`;

@Injectable()
export class MailsRepository {
  constructor(private readonly sql: Sql) {}

  async insert(manager: EntityManager, mail: NewMail, link: SealedLink | undefined): Promise<void> {
    const { site_id, person_id, kind, passkeys = [] } = mail;
    await manager.query(
      `insert into mails (site_id, person_id, kind, passkeys, token_hash, sealed_token) values ($1, $2, $3, $4, $5, $6)`,
      [site_id, person_id, kind, passkeys, link?.token_hash ?? null, link?.sealed_token ?? null],
    );
  }

  /** Undefined when the mail has lost its purpose. */
  async read({ site_id, mail_id }: WaitingMail): Promise<MailRow | undefined> {
    return (await this.sql.query<MailRow>({ name: 'read_mail', text: READ }, [site_id, mail_id]))[0];
  }
}
