import type { Theme } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import type { NewMail, QueuedMail } from './mail.js';
import type { WaitingMail } from './mails.queue.js';

export interface SealedLink {
  readonly token_hash: Buffer;
  readonly sealed_token: Buffer;
}

export interface MailRow extends Omit<QueuedMail, 'link' | 'theme'> {
  readonly token_hash: Buffer | null;
  readonly sealed_token: Buffer | null;
  /** Null without a link. */
  readonly expires_at: Date | null;
  /** As an older release may have stored it. Null for a site without an appearance. */
  readonly theme: Partial<Theme> | null;
}

/** Omits the mail of a deleted person, and of a link that was used or replaced or has expired. */
const READ = `
  select m.mail_id, m.kind, m.passkeys, m.url, m.language, m.token_hash, m.sealed_token,
         coalesce(i.expires_at, e.expires_at, l.expires_at) as expires_at, e.new_email,
         coalesce(m.address, p.email) as email, coalesce(p.email, m.address) as account, coalesce(p.name, '') as name,
         s.name as site_name, s.base_url, a.theme, sm.locale, c.locale as site_locale,
         coalesce(sm.timezone, c.timezone) as timezone
  from mails m
  join sites s on s.site_id = m.site_id
  left join site_schools c on c.site_id = m.site_id
  left join site_appearances a on a.site_id = m.site_id
  left join site_members sm on sm.site_id = m.site_id and sm.person_id = m.person_id
  left join people p on p.person_id = m.person_id and p.state <> 'deleted'
  left join invitations i on i.token_hash = m.token_hash and i.used_at is null and i.expires_at > now()
                         and p.state = 'active'
  left join email_changes e on e.person_id = m.person_id and m.token_hash in (e.approve_hash, e.confirm_hash)
                           and e.outcome is null and e.expires_at > now() and p.state = 'active'
  left join email_links l on l.token_hash = m.token_hash and l.used_at is null and l.expires_at > now()
                         and coalesce(p.state, 'active') = 'active'
  where m.site_id = $1 and m.mail_id = $2 and (m.person_id is null or p.person_id is not null)
    and (m.token_hash is null) = (coalesce(i.token_hash, l.token_hash) is null and e.person_id is null)`;

@Injectable()
export class MailsRepository {
  constructor(private readonly sql: Sql) {}

  async insert(manager: EntityManager, mail: NewMail, link: SealedLink | undefined): Promise<void> {
    const { site_id, person_id = null, kind, passkeys = [], url = null, address = null, language = null } = mail;
    const { token_hash = null, sealed_token = null } = link ?? {};
    await manager.query(
      `insert into mails (site_id, person_id, kind, passkeys, url, address, language, token_hash, sealed_token)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [site_id, person_id, kind, passkeys, url, address, language, token_hash, sealed_token],
    );
  }

  /** Undefined when the mail has lost its purpose. */
  async read({ site_id, mail_id }: WaitingMail): Promise<MailRow | undefined> {
    return (await this.sql.query<MailRow>({ name: 'read_mail', text: READ }, [site_id, mail_id]))[0];
  }
}
