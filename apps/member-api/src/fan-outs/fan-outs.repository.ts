import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { TOPICS } from '#src/notification-subscriptions/topics.policy.js';
import { deliver } from '#src/notifications/delivery.js';
import { NEWS_DAYS, topicOf } from '#src/notifications/kinds.policy.js';
import type { Message } from '#src/notifications/kinds.policy.js';

/** Who is told: those who take a course, all members of the site, those who are registered for an event. */
export type Audience =
  | { readonly audience: 'course' | 'event'; readonly audience_id: string }
  | { readonly audience: 'site'; readonly audience_id: null };

export type FanOut = Audience &
  Message & {
    readonly site_id: string;
    /** What it is about, once. */
    readonly occasion: string;
    /** Below the site's base URL; null leads to the course, in the audience of one. */
    readonly path: string | null;
    /** Null for what each member has of the audience: the enrollment, the registration. */
    readonly subject_id: string | null;
  };

type Claimed = FanOut & { readonly after_person: string };

/** `person_id, subject_id, path` of the next people, each once, in their order: `$1` site, `$2` which, `$3` after whom, `$4` how many. */
const AUDIENCES: Readonly<Record<Audience['audience'], string>> = {
  course: `
    select e.person_id, e.enrollment_id as subject_id, '/courses/' || c.slug as path
    from (select distinct on (person_id) person_id, enrollment_id from enrollment
          where site_id = $1 and course_id = $2 and state = 'active' and (expires_at is null or expires_at > now())
            and person_id > $3
          order by person_id, enrollment_id limit $4) e
    join course c on c.course_id = $2`,
  site: `
    select person_id, null::uuid as subject_id, null::text as path from membership
    where site_id = $1 and $2::uuid is null and roles <> '{}' and person_id > $3
    order by person_id limit $4`,
  event: `
    select distinct on (person_id) person_id, registration_id as subject_id, null::text as path from event_registration
    where site_id = $1 and event_id = $2 and state = 'registered' and person_id > $3
    order by person_id, registration_id limit $4`,
};

@Injectable()
export class FanOutsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Notes it in the transaction of what happened; it is done in batches afterwards. */
  async add(tx: EntityManager, fanOut: FanOut): Promise<void> {
    const { site_id, occasion, kind, audience, audience_id, parameters, path, subject_id } = fanOut;
    await tx.query(
      `insert into fan_out (site_id, occasion, kind, audience, audience_id, parameters, path, subject_id, created_at, turn_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, now(), now())
       on conflict (site_id, occasion) do nothing`,
      [site_id, occasion, kind, audience, audience_id, parameters, path, subject_id],
    );
  }

  /**
   * One batch of the one whose turn it is, in a transaction: whoever was told and who comes next are written together.
   * False when there is none. A course that is not out yet is waited for, while it is news.
   */
  async batch(size: number): Promise<boolean> {
    return this.dataSource.transaction(async (tx) => {
      const [claimed] = await tx.query<Claimed[]>(
        `select site_id, occasion, kind, audience, audience_id, parameters, path, subject_id, after_person from fan_out
         where done_at is null and created_at > now() - interval '${NEWS_DAYS} days'
           and (audience <> 'course' or exists (
             select from course c
             where c.course_id = audience_id and c.site_id = fan_out.site_id and c.state not in ('draft', 'deleted')))
         order by turn_at limit 1 for update skip locked`,
      );
      if (claimed === undefined) return false;
      await this.#spread(tx, claimed, size);
      return true;
    });
  }

  /** Forgets those that no event can bring up again, and those that were never done while they were news. */
  async sweep(size: number): Promise<number> {
    const rows = await this.dataSource.query<unknown[]>(
      `with old as (select site_id, occasion from fan_out where created_at < now() - interval '31 days'
                    limit $1 for update skip locked),
            gone as (delete from fan_out using old
                     where fan_out.site_id = old.site_id and fan_out.occasion = old.occasion returning 1)
       select from gone`,
      [size],
    );
    return rows.length;
  }

  async #spread(tx: EntityManager, claimed: Claimed, size: number): Promise<void> {
    const { site_id, occasion, kind, audience, audience_id, after_person, parameters, path, subject_id } = claimed;
    const topic = topicOf(kind);
    const recipients = `
      select $1::uuid as site_id, person_id, $5::text as occasion, $6::text as kind, $7::text as topic,
             $8::uuid as entity_id, $9::jsonb as parameters, coalesce($10, path) as path,
             coalesce($11, subject_id) as subject_id
      from (${AUDIENCES[audience]}) audience`;
    const last = `
      update fan_out set after_person = coalesce((select (array_agg(person_id order by person_id desc))[1] from recipient),
                                                 after_person),
        turn_at = clock_timestamp(), done_at = case when (select count(*) from recipient) < $4 then now() end
      where site_id = $1 and occasion = $5`;
    const entity = TOPICS[topic].perCourse ? audience_id : null;
    const telling = [occasion, kind, topic, entity, parameters, path, subject_id];
    await tx.query(`${deliver(recipients)} ${last}`, [site_id, audience_id, after_person, size, ...telling]);
  }
}
