import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { Parameters } from '#src/messages/messages.js';
import { preferencesOf, preferred } from '#src/notification-subscriptions/preferences.js';
import { subscriptionId } from '#src/notification-subscriptions/subscription-id.js';

/** A mail that this replica has taken. */
export interface ClaimedMail {
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
  readonly path: string | null;
  /** With this one. */
  readonly attempts: number;
  /** False when the member ended such mails while it waited. */
  readonly wanted: boolean;
  /** Null while nobody has spoken of the person as a member of the site, or when they left. */
  readonly email: string | null;
  readonly name: string;
  readonly site_name: string;
  readonly base_url: string;
}

/** Sites whose mails are taken at once, and how many of each: one with many mails does not keep the others waiting. */
const SITES = 8;
const OF_A_SITE = 5;
/** Taken for so long; a replica that dies with it leaves it to the others then. Longer than a server may take to answer. */
const LEASE = `interval '2 minutes'`;

const CLAIM = `
  with recursive site_id as (
    (select site_id from outbound_mail where ended_at is null order by site_id limit 1)
    union all
    select (select o.site_id from outbound_mail o where o.ended_at is null and o.site_id > w.site_id
            order by o.site_id limit 1)
    from site_id w where w.site_id is not null),
  turn as materialized (select site_id from site_id where site_id is not null order by random() limit ${SITES}),
  due as materialized (
    select m.mail_id from turn cross join lateral (
      select mail_id from outbound_mail where site_id = turn.site_id and ended_at is null and due_at <= now()
      order by due_at limit ${OF_A_SITE} for update skip locked) m),
  taken as (
    update outbound_mail o set attempts = attempts + 1, due_at = now() + ${LEASE}
    from due where o.mail_id = due.mail_id
    returning o.mail_id, o.site_id, o.person_id, o.kind, o.topic, o.entity_id, o.parameters, o.path, o.attempts)
  select taken.mail_id, taken.site_id, taken.person_id, ${subscriptionId('taken')} as subscription_id, t.transactional,
         taken.kind, taken.topic, taken.parameters, taken.path, taken.attempts,
         case when m.name is null then p.locale else m.locale end as locale,
         ${preferred('active')} and ${preferred('email')} as wanted,
         case when p.state = 'active' and m.roles <> '{}' and s.state = 'active' then p.email end as email,
         coalesce(m.name, p.name, '') as name, coalesce(s.name, '') as site_name, coalesce(s.base_url, '') as base_url
  from taken ${preferencesOf('taken')}
  left join person p on p.person_id = taken.person_id
  left join membership m on m.person_id = taken.person_id and m.site_id = taken.site_id
  left join site s on s.site_id = taken.site_id`;

@Injectable()
export class MailsRepository {
  constructor(private readonly database: Sql) {}

  /** Takes mails that are due and nobody holds. */
  async claim(): Promise<ClaimedMail[]> {
    return this.database.query<ClaimedMail>({ name: 'claim_mails', text: CLAIM }, []);
  }

  /** Sent, or given up. */
  async end(mail_id: string): Promise<void> {
    const text = 'update outbound_mail set ended_at = now() where mail_id = $1';
    await this.database.query({ name: 'end_mail', text }, [mail_id]);
  }

  async retry(mail_id: string, seconds: number): Promise<void> {
    const text = 'update outbound_mail set due_at = now() + make_interval(secs => $2) where mail_id = $1';
    await this.database.query({ name: 'retry_mail', text }, [mail_id, seconds]);
  }

  /** Forgets some that ended so long ago that no event can bring them up again; says how many. */
  async sweep(size: number): Promise<number> {
    const text = `
      with old as (select mail_id from outbound_mail where ended_at < now() - interval '31 days'
                   order by ended_at limit $1 for update skip locked)
      delete from outbound_mail o using old where o.mail_id = old.mail_id returning 1 as one`;
    return (await this.database.query({ name: 'sweep_mails', text }, [size])).length;
  }
}
