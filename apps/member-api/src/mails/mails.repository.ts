import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { Parameters } from '#src/messages/messages.js';
import { preferencesOf, preferred } from '#src/notification-subscriptions/preferences.js';
import { subscriptionId } from '#src/notification-subscriptions/subscription-id.js';

/** A mail with the current values that its text needs. */
export interface Mail {
  readonly mail_id: string;
  readonly site_id: string;
  readonly person_id: string;
  readonly subscription_id: string;
  readonly transactional: boolean;
  readonly kind: string;
  readonly topic: string;
  readonly parameters: Parameters;
  /** The language of the member. */
  readonly locale: string | null;
  /** The language of the site. */
  readonly site_locale: string | null;
  readonly path: string | null;
  /** False when the member unsubscribed while the mail was queued. */
  readonly wanted: boolean;
  /** Null before the membership event of the person arrives, and after they left the site. */
  readonly email: string | null;
  readonly name: string;
  readonly site_name: string;
  readonly base_url: string;
}

const READ = `
  select o.mail_id, o.site_id, o.person_id, ${subscriptionId('o')} as subscription_id, t.transactional,
         o.kind, o.topic, o.parameters, o.path, case when m.name is null then p.locale else m.locale end as locale,
         ${preferred('active')} and ${preferred('email')} as wanted,
         case when p.state = 'active' and m.roles <> '{}' and s.state = 'active' then p.email end as email,
         coalesce(m.name, p.name, '') as name, coalesce(s.name, '') as site_name, s.locale as site_locale, coalesce(s.base_url, '') as base_url
  from outbound_mails o ${preferencesOf('o')}
  left join people p on p.person_id = o.person_id
  left join memberships m on m.person_id = o.person_id and m.site_id = o.site_id
  left join sites s on s.site_id = o.site_id
  where o.mail_id = $1`;

@Injectable()
export class MailsRepository {
  constructor(private readonly database: Sql) {}

  /** Undefined when the mail or its topic is gone. */
  async read(mail_id: string): Promise<Mail | undefined> {
    return (await this.database.query<Mail>({ name: 'read_mail', text: READ }, [mail_id]))[0];
  }

  /** Removes a batch of finished mails that no event can repeat, and returns their number. */
  async sweep(size: number): Promise<number> {
    const text = `
      with old as (select mail_id from outbound_mails where ended_at < now() - interval '31 days'
                   order by ended_at limit $1 for update skip locked)
      delete from outbound_mails o using old where o.mail_id = old.mail_id returning 1 as one`;
    return (await this.database.query({ name: 'sweep_mails', text }, [size])).length;
  }
}
