import { Injectable } from '@nestjs/common';
import type { Job } from '@lyceum/jobs';
import { Sql } from '@lyceum/platform';
import { DataSource } from 'typeorm';
import type { Parameters } from '#src/messages/messages.js';
import { isDigestTopic, sameSubscription } from '#src/notification-subscriptions/digest.statements.js';
import { preferencesOf, preferred } from '#src/notification-subscriptions/preferences.js';
import { subscriptionId } from '#src/notification-subscriptions/subscription-id.js';
import { isCoursePath, notificationUrl } from '#src/notifications/notification-url.js';
import { MOST_MAILS } from './digest-mail.policy.js';
import { MailsQueue } from './mails.queue.js';
import type { WaitingMail } from './mails.queue.js';

/** A mail with the current values that its text needs. */
export interface Mail {
  readonly mail_id: string;
  /** The mail in which it is sent; null until that is decided. */
  readonly digest_id: string | null;
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
  readonly url: string | null;
  /** False when the member has unsubscribed since, or a reminder would come after the start. */
  readonly wanted: boolean;
  /** Null before the membership event of the person arrives, and after they left the site. */
  readonly email: string | null;
  readonly name: string;
  readonly site_name: string;
  readonly base_url: string;
}

/** The course of a mail about it. A mail of another page of a course leads nowhere else. */
const COURSE = `select o.entity_id where ${isCoursePath('o.path')}`;

/** A reminder, which alone has `minutes`, is written that long before the start. It can come later than the start. */
const HAS_BEGUN = `coalesce(o.created_at + make_interval(mins => (o.parameters->>'minutes')::int) <= now(), false)`;

const READ = `
  select o.mail_id, o.digest_id, o.site_id, o.person_id, ${subscriptionId('o')} as subscription_id, t.transactional,
         o.kind, o.topic, o.parameters, ${notificationUrl('o', 's.base_url', COURSE)} as url,
         case when m.name is null then p.locale else m.locale end as locale,
         ${preferred('active')} and ${preferred('email')} and not ${HAS_BEGUN} as wanted,
         case when p.state = 'active' and m.roles <> '{}' and s.state = 'active' then p.email end as email,
         coalesce(m.name, p.name, '') as name, coalesce(s.name, '') as site_name, s.locale as site_locale, coalesce(s.base_url, '') as base_url
  from outbound_mails o ${preferencesOf('o')}
  left join people p on p.person_id = o.person_id
  left join memberships m on m.person_id = o.person_id and m.site_id = o.site_id
  left join sites s on s.site_id = o.site_id
  where o.mail_id = $1 or (o.mail_id = any ($2) and o.ended_at is null)
  order by o.created_at, o.mail_id`;

/**
 * Decides which mails are sent in one, unless that was decided before: those of the subscription that are due and
 * younger. Nothing else claims them meanwhile, because only the oldest one is ready. Mails of a digest that died are
 * free again. Returns the ids of all of them but the given one.
 */
const GATHER = `
  with head as (select mail_id, site_id, person_id, topic, entity_id, created_at, digest_id from outbound_mails
           where mail_id = $1 for update),
  more as materialized (
    select o.mail_id from head join outbound_mails o on ${sameSubscription('o', 'head')}
    where head.digest_id is distinct from $1 and ${isDigestTopic('head')} and o.ended_at is null and o.due_at <= now()
      and (o.created_at, o.mail_id) > (head.created_at, head.mail_id)
      and not exists (select from outbound_mails d where d.mail_id = o.digest_id and d.ended_at is null)
    order by o.created_at, o.mail_id limit ${MOST_MAILS - 1} for update of o skip locked),
  gathered as (
    update outbound_mails o set digest_id = $1
    from (select mail_id from more union all select mail_id from head where digest_id is distinct from $1) m
    where o.mail_id = m.mail_id and not exists (
      select from head join outbound_mails d on d.mail_id = head.digest_id
      where d.mail_id <> $1 and d.ended_at is null)
    returning o.mail_id)
  select mail_id from gathered where mail_id <> $1
  union
  select o.mail_id from head join outbound_mails o on ${sameSubscription('o', 'head')}
  where head.digest_id = $1 and o.digest_id = $1 and o.mail_id <> $1 and o.ended_at is null`;

/** Locks the mails of a digest in the order of `GATHER`, which begins with the oldest one ($2). */
const END_OTHERS = `
  with locked as materialized (
    select mail_id from outbound_mails where (mail_id = any ($1) and ended_at is null) or mail_id = $2
    order by created_at, mail_id for update)
  update outbound_mails o set ended_at = now(), failure = null
  from locked where o.mail_id = locked.mail_id and o.mail_id <> $2`;

@Injectable()
export class MailsRepository {
  constructor(
    private readonly database: Sql,
    private readonly dataSource: DataSource,
    private readonly queue: MailsQueue,
  ) {}

  /** Decides which mails are sent together with this one. A retry gets the same ones. */
  async gather(mail_id: string): Promise<string[]> {
    const found = await this.database.query<{ mail_id: string }>({ name: 'gather_mails', text: GATHER }, [mail_id]);
    return found.map((one) => one.mail_id);
  }

  /** The mail with those that are sent together with it, the oldest first. Empty when its topic is gone. */
  async read(mail_id: string, others: readonly string[]): Promise<Mail[]> {
    return this.database.query<Mail>({ name: 'read_mails', text: READ }, [mail_id, others]);
  }

  /** Ends the job together with the mails that were sent in it. @throws {LostLease} */
  async end(job: Job<WaitingMail>, others: readonly string[]): Promise<void> {
    if (others.length === 0) return this.queue.end(job);
    await this.dataSource.transaction(async (tx) => {
      await tx.query(END_OTHERS, [others, job.mail_id]);
      await this.queue.end(job, tx);
    });
  }

  /** Makes mails dead, because the digest that has them is. */
  async deadLetter(mails: readonly string[], failure: string): Promise<void> {
    const text = `update outbound_mails set ended_at = now(), failure = left($2, 500)
                  where mail_id = any ($1) and ended_at is null returning 1 as one`;
    await this.database.query({ name: 'bury_mails', text }, [mails, failure]);
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
