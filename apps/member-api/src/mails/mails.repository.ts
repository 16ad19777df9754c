import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import { preferencesOf, preferred } from '#src/notification-subscriptions/preferences.js';
import { subscriptionId } from '#src/notification-subscriptions/subscription-id.js';

/** A mail that this replica has taken. */
export interface ClaimedMail {
  readonly mail_id: string;
  readonly site_id: string;
  readonly person_id: string;
  readonly subscription_id: string;
  readonly transactional: boolean;
  readonly description: string;
  readonly title: string;
  readonly body: string | null;
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
  WITH RECURSIVE site_id AS (
    (SELECT site_id FROM outbound_mail WHERE ended_at IS NULL ORDER BY site_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.site_id FROM outbound_mail o WHERE o.ended_at IS NULL AND o.site_id > w.site_id
            ORDER BY o.site_id LIMIT 1)
    FROM site_id w WHERE w.site_id IS NOT NULL),
  turn AS MATERIALIZED (SELECT site_id FROM site_id WHERE site_id IS NOT NULL ORDER BY random() LIMIT ${SITES}),
  due AS MATERIALIZED (
    SELECT m.mail_id FROM turn CROSS JOIN LATERAL (
      SELECT mail_id FROM outbound_mail WHERE site_id = turn.site_id AND ended_at IS NULL AND due_at <= now()
      ORDER BY due_at LIMIT ${OF_A_SITE} FOR UPDATE SKIP LOCKED) m),
  taken AS (
    UPDATE outbound_mail o SET attempts = attempts + 1, due_at = now() + ${LEASE}
    FROM due WHERE o.mail_id = due.mail_id
    RETURNING o.mail_id, o.site_id, o.person_id, o.topic, o.entity_id, o.title, o.body, o.path, o.attempts)
  SELECT taken.mail_id, taken.site_id, taken.person_id, ${subscriptionId('taken')} AS subscription_id, t.transactional,
         t.description, taken.title, taken.body, taken.path, taken.attempts,
         ${preferred('active')} AND ${preferred('email')} AS wanted,
         CASE WHEN p.state = 'active' AND m.roles <> '{}' AND s.state = 'active' THEN p.email END AS email,
         coalesce(p.name, '') AS name, coalesce(s.name, '') AS site_name, coalesce(s.base_url, '') AS base_url
  FROM taken ${preferencesOf('taken')}
  LEFT JOIN person p ON p.person_id = taken.person_id
  LEFT JOIN membership m ON m.person_id = taken.person_id AND m.site_id = taken.site_id
  LEFT JOIN site s ON s.site_id = taken.site_id`;

@Injectable()
export class MailsRepository {
  constructor(private readonly database: Sql) {}

  /** Takes mails that are due and nobody holds. */
  async claim(): Promise<ClaimedMail[]> {
    return this.database.query<ClaimedMail>({ name: 'claim_mails', text: CLAIM }, []);
  }

  /** Sent, or given up. */
  async end(mail_id: string): Promise<void> {
    const text = 'UPDATE outbound_mail SET ended_at = now() WHERE mail_id = $1';
    await this.database.query({ name: 'end_mail', text }, [mail_id]);
  }

  async retry(mail_id: string, seconds: number): Promise<void> {
    const text = 'UPDATE outbound_mail SET due_at = now() + make_interval(secs => $2) WHERE mail_id = $1';
    await this.database.query({ name: 'retry_mail', text }, [mail_id, seconds]);
  }

  /** Forgets some that ended so long ago that no event can bring them up again; says how many. */
  async sweep(size: number): Promise<number> {
    const text = `
      WITH old AS (SELECT mail_id FROM outbound_mail WHERE ended_at < now() - interval '31 days'
                   ORDER BY ended_at LIMIT $1 FOR UPDATE SKIP LOCKED)
      DELETE FROM outbound_mail o USING old WHERE o.mail_id = old.mail_id RETURNING 1 AS one`;
    return (await this.database.query({ name: 'sweep_mails', text }, [size])).length;
  }
}
