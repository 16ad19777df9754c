import { Injectable } from '@nestjs/common';
import type { Job } from '@lyceum/jobs';
import { together } from '@lyceum/platform';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { TOPICS } from '#src/notification-subscriptions/topics.policy.js';
import { lockAggregates } from '#src/notifications/aggregate-locks.js';
import { deliver } from '#src/notifications/delivery.js';
import { NOTIFICATION_DAYS, topicOf } from '#src/notifications/kinds.policy.js';
import { AUDIENCES } from './audiences.js';
import type { EndedFanOut, FanOut, FanOutKey } from './fan-out.js';
import { FanOutsQueue } from './fan-outs.queue.js';
import type { ClaimedFanOut } from './fan-outs.queue.js';

/** A batch that was delivered. */
interface Spread {
  readonly recipients: number;
  /** All people whom the fan-out has reached. A person without a channel for the topic is none of them. */
  readonly recipients_count: number;
  /** False: what it waits for is missing again since the claim, because `rebuild` runs. */
  readonly known: boolean;
}

/** False for a lecture from before the publication of its course: members got both at once. */
const IS_NEW = `not exists (
  select from fan_outs f join courses c on c.site_id = f.site_id and c.course_id = f.audience_id
  where f.site_id = $1 and f.occasion = $5 and f.published_at <= c.published_at)`;

@Injectable()
export class FanOutsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: FanOutsQueue,
  ) {}

  /**
   * Enqueues a fan-out in the transaction of its event. The worker delivers it in batches. The days in which it can be
   * delivered begin when its lecture opens.
   */
  async add(tx: EntityManager, fanOut: FanOut): Promise<void> {
    const {
      site_id,
      occasion,
      kind,
      audience,
      audience_id,
      parameters,
      path,
      subject_id,
      published_at = null,
      opens_at = null,
    } = fanOut;
    await tx.query(
      `insert into fan_outs (site_id, occasion, kind, audience, audience_id, parameters, path, subject_id, published_at,
         created_at, due_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, greatest(now(), $10::timestamptz), greatest(now(), $10::timestamptz))
       on conflict (site_id, occasion) do nothing`,
      [site_id, occasion, kind, audience, audience_id, parameters, path, subject_id, published_at, opens_at],
    );
  }

  /** Removes fan-outs that have not ended, and dead ones. A batch that runs rolls back, because its lease is gone. */
  async remove(tx: EntityManager, fanOuts: readonly FanOutKey[]): Promise<void> {
    if (fanOuts.length === 0) return;
    await tx.query(
      `delete from fan_outs f using unnest($1::uuid[], $2::text[]) as key (site_id, occasion)
       where f.site_id = key.site_id and f.occasion = key.occasion and (f.ended_at is null or f.failure is not null)`,
      [fanOuts.map(({ site_id }) => site_id), fanOuts.map(({ occasion }) => occasion)],
    );
  }

  /**
   * Delivers one batch. One transaction writes the notifications, the last recipient and the end of the job. Returns
   * the number of people whom the fan-out reached when it ends; undefined while it goes on.
   */
  async batch(tx: EntityManager, fanOut: Job<ClaimedFanOut>, size: number): Promise<number | undefined> {
    const { recipients, recipients_count, known } = await this.#spread(tx, fanOut, size);
    const isLast = known && recipients < size;
    await (isLast ? this.queue.end(fanOut, tx) : this.queue.again(fanOut, tx));
    return isLast ? recipients_count : undefined;
  }

  /** Removes fan-outs that no event can repeat, and fan-outs that became too old to deliver. */
  async sweep(size: number): Promise<number> {
    const rows = await this.dataSource.query<unknown[]>(
      `with old as (select site_id, occasion from fan_outs where created_at < now() - interval '31 days'
                    order by created_at limit $1 for update skip locked),
            gone as (delete from fan_outs using old
                     where fan_outs.site_id = old.site_id and fan_outs.occasion = old.occasion returning 1)
       select from gone`,
      [size],
    );
    return rows.length;
  }

  /**
   * Ends fan-outs that became too old to deliver, so that no claim reads them, and returns them: also dead ones, whose
   * number of recipients is known then.
   */
  async endOld(tx: EntityManager, size: number): Promise<EndedFanOut[]> {
    const old = `created_at < now() - interval '${NOTIFICATION_DAYS} days'`;
    return tx.query<EndedFanOut[]>(
      // The orders are those of the indexes of jobs.
      `with waiting as (select site_id, occasion from fan_outs where ended_at is null and ${old}
                        order by site_id, due_at limit $1 for update skip locked),
            dead as (select site_id, occasion from fan_outs where failure is not null and ${old}
                     order by ended_at limit $1 for update skip locked),
            old as (select * from waiting union all select * from dead limit $1),
            over as (update fan_outs set ended_at = now(), failure = null from old
                     where fan_outs.site_id = old.site_id and fan_outs.occasion = old.occasion
                     returning fan_outs.site_id, fan_outs.occasion, recipients_count)
       select * from over`,
      [size],
    );
  }

  async #spread(tx: EntityManager, fanOut: ClaimedFanOut, size: number): Promise<Spread> {
    const { site_id, occasion, kind, audience, audience_id, after_person, parameters, path, subject_id } = fanOut;
    const topic = topicOf(kind);
    const rule = AUDIENCES[audience];
    // An event of the course locks it before it changes the same rows. Without the lock they could deadlock.
    if (rule.marks !== undefined && audience_id !== null) await lockAggregates([audience_id], tx);
    const recipients = `
      select $1::uuid as site_id, person_id, ${rule.occasion ?? '$5::text'} as occasion, $6::text as kind, $7::text as topic,
             $8::uuid as entity_id, $9::jsonb || coalesce(parameters, '{}') as parameters, coalesce($10, path) as path,
             coalesce($11, subject_id) as subject_id
      from (${rule.recipients}) audience where ${IS_NEW}`;
    const last = `
      update fan_outs job set after_person = coalesce((select (array_agg(person_id order by person_id desc))[1] from recipient),
                                                 after_person),
        recipients_count = recipients_count + (select count(*) from wanted where in_app or email)
      where job.site_id = $1 and job.occasion = $5
      returning (select count(*)::int from recipient) as recipients, recipients_count,
        ${rule.ready ?? 'true'} as known`;
    const entity = TOPICS[topic].perCourse ? audience_id : null;
    const notification = [occasion, kind, topic, entity, parameters, path, subject_id];
    const values = [site_id, audience_id, after_person, size, ...notification];
    const [, [[row]]] = await together([
      // An erasure of a recipient comes before or after the delivery, which is another statement and sees it.
      tx.query(
        `select from memberships m where m.site_id = $1
           and m.person_id in (select person_id from (${rule.recipients}) audience where $5::text is not null)
         order by m.person_id for key share of m`,
        values.slice(0, 5),
      ),
      tx.query<[Spread[], number]>(`${[deliver(recipients), rule.marks].filter(Boolean).join(', ')} ${last}`, values),
    ]);
    return row ?? { recipients: 0, recipients_count: 0, known: true };
  }
}
