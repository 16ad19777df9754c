import { Injectable } from '@nestjs/common';
import type { Job } from '@lyceum/jobs';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { TOPICS } from '#src/notification-subscriptions/topics.policy.js';
import { deliver } from '#src/notifications/delivery.js';
import { topicOf } from '#src/notifications/kinds.policy.js';
import type { Audience, FanOut } from './fan-out.js';
import { FanOutsQueue } from './fan-outs.queue.js';
import type { ClaimedFanOut } from './fan-outs.queue.js';

/**
 * Selects `person_id, subject_id, path` of the next recipients, each once, in a fixed order. Parameters: `$1` site, `$2`
 * audience, `$3` last recipient, `$4` batch size.
 */
const AUDIENCES: Readonly<Record<Audience['audience'], string>> = {
  course: `
    select e.person_id, e.enrollment_id as subject_id, '/courses/' || c.slug as path
    from (select distinct on (person_id) person_id, enrollment_id from enrollments
          where site_id = $1 and course_id = $2 and state = 'active' and (expires_at is null or expires_at > now())
            and person_id > $3
          order by person_id, enrollment_id limit $4) e
    join courses c on c.course_id = $2`,
  site: `
    select person_id, null::uuid as subject_id, null::text as path from memberships
    where site_id = $1 and $2::uuid is null and roles <> '{}' and person_id > $3
    order by person_id limit $4`,
  event: `
    select distinct on (person_id) person_id, registration_id as subject_id, null::text as path from event_registrations
    where site_id = $1 and event_id = $2 and state = 'registered' and person_id > $3
    order by person_id, registration_id limit $4`,
};

@Injectable()
export class FanOutsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: FanOutsQueue,
  ) {}

  /** Enqueues a fan-out in the transaction of its event. The worker delivers it in batches. */
  async add(tx: EntityManager, fanOut: FanOut): Promise<void> {
    const { site_id, occasion, kind, audience, audience_id, parameters, path, subject_id } = fanOut;
    await tx.query(
      `insert into fan_outs (site_id, occasion, kind, audience, audience_id, parameters, path, subject_id, created_at, due_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, now(), now())
       on conflict (site_id, occasion) do nothing`,
      [site_id, occasion, kind, audience, audience_id, parameters, path, subject_id],
    );
  }

  /** Delivers one batch. One transaction writes the notifications, the last recipient and the end of the job. */
  async batch(fanOut: Job<ClaimedFanOut>, size: number): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const recipients = await this.#spread(tx, fanOut, size);
      await (recipients < size ? this.queue.end(fanOut, tx) : this.queue.again(fanOut, tx));
    });
  }

  /** Removes fan-outs that no event can repeat, and fan-outs that became too old to deliver. */
  async sweep(size: number): Promise<number> {
    const rows = await this.dataSource.query<unknown[]>(
      `with old as (select site_id, occasion from fan_outs where created_at < now() - interval '31 days'
                    limit $1 for update skip locked),
            gone as (delete from fan_outs using old
                     where fan_outs.site_id = old.site_id and fan_outs.occasion = old.occasion returning 1)
       select from gone`,
      [size],
    );
    return rows.length;
  }

  async #spread(tx: EntityManager, fanOut: ClaimedFanOut, size: number): Promise<number> {
    const { site_id, occasion, kind, audience, audience_id, after_person, parameters, path, subject_id } = fanOut;
    const topic = topicOf(kind);
    const recipients = `
      select $1::uuid as site_id, person_id, $5::text as occasion, $6::text as kind, $7::text as topic,
             $8::uuid as entity_id, $9::jsonb as parameters, coalesce($10, path) as path,
             coalesce($11, subject_id) as subject_id
      from (${AUDIENCES[audience]}) audience`;
    const last = `
      update fan_outs set after_person = coalesce((select (array_agg(person_id order by person_id desc))[1] from recipient),
                                                 after_person)
      where site_id = $1 and occasion = $5
      returning (select count(*)::int from recipient) as recipients`;
    const entity = TOPICS[topic].perCourse ? audience_id : null;
    const notification = [occasion, kind, topic, entity, parameters, path, subject_id];
    const values = [site_id, audience_id, after_person, size, ...notification];
    const [[row]] = await tx.query<[{ recipients: number }[], number]>(`${deliver(recipients)} ${last}`, values);
    return row?.recipients ?? 0;
  }
}
