import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { TOPICS } from '#src/notification-subscriptions/topics.policy.js';
import { deliver } from '#src/notifications/delivery.js';
import { NEWS_DAYS, topicOf } from '#src/notifications/kinds.policy.js';
import type { Kind } from '#src/notifications/kinds.policy.js';

/** Who is told: those who take a course, all members of the site, those who are registered for an event. */
export type Audience =
  | { readonly audience: 'course' | 'event'; readonly audience_id: string }
  | { readonly audience: 'site'; readonly audience_id: null };

export type FanOut = Audience & {
  readonly site_id: string;
  /** What it is about, once. */
  readonly occasion: string;
  readonly kind: Kind;
  readonly title: string;
  readonly body: string | null;
  /** Below the site's base URL; null leads to the course, in the audience of one. */
  readonly path: string | null;
  /** Null for what each member has of the audience: the enrolment, the registration. */
  readonly subject_id: string | null;
};

type Claimed = FanOut & { readonly after_person: string };

/** `person_id, subject_id, path` of the next people, each once, in their order: `$1` site, `$2` which, `$3` after whom, `$4` how many. */
const AUDIENCES: Readonly<Record<Audience['audience'], string>> = {
  course: `
    SELECT e.person_id, e.enrollment_id AS subject_id, '/courses/' || c.slug AS path
    FROM (SELECT DISTINCT ON (person_id) person_id, enrollment_id FROM enrollment
          WHERE site_id = $1 AND course_id = $2 AND state = 'active' AND (expires_at IS NULL OR expires_at > now())
            AND person_id > $3
          ORDER BY person_id, enrollment_id LIMIT $4) e
    JOIN course c ON c.course_id = $2`,
  site: `
    SELECT person_id, NULL::uuid AS subject_id, NULL::text AS path FROM membership
    WHERE site_id = $1 AND $2::uuid IS NULL AND roles <> '{}' AND person_id > $3
    ORDER BY person_id LIMIT $4`,
  event: `
    SELECT DISTINCT ON (person_id) person_id, registration_id AS subject_id, NULL::text AS path FROM event_registration
    WHERE site_id = $1 AND event_id = $2 AND state = 'registered' AND person_id > $3
    ORDER BY person_id, registration_id LIMIT $4`,
};

@Injectable()
export class FanOutsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Notes it in the transaction of what happened; it is done in batches afterwards. */
  async add(manager: EntityManager, fanOut: FanOut): Promise<void> {
    const { site_id, occasion, kind, audience, audience_id, title, body, path, subject_id } = fanOut;
    await manager.query(
      `INSERT INTO fan_out (site_id, occasion, kind, audience, audience_id, title, body, path, subject_id, created_at, turn_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now(), now())
       ON CONFLICT (site_id, occasion) DO NOTHING`,
      [site_id, occasion, kind, audience, audience_id, title, body, path, subject_id],
    );
  }

  /**
   * One batch of the one whose turn it is, in a transaction: whoever was told and who comes next are written together.
   * False when there is none. A course that is not out yet is waited for, while it is news.
   */
  async batch(size: number): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const [claimed] = await manager.query<Claimed[]>(
        `SELECT site_id, occasion, kind, audience, audience_id, title, body, path, subject_id, after_person FROM fan_out
         WHERE done_at IS NULL AND created_at > now() - interval '${NEWS_DAYS} days'
           AND (audience <> 'course' OR EXISTS (
             SELECT FROM course c
             WHERE c.course_id = audience_id AND c.site_id = fan_out.site_id AND c.state NOT IN ('draft', 'deleted')))
         ORDER BY turn_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
      );
      if (claimed === undefined) return false;
      await this.#spread(manager, claimed, size);
      return true;
    });
  }

  /** Forgets those that no event can bring up again, and those that were never done while they were news. */
  async sweep(size: number): Promise<number> {
    const rows = await this.dataSource.query<unknown[]>(
      `WITH old AS (SELECT site_id, occasion FROM fan_out WHERE created_at < now() - interval '31 days'
                    LIMIT $1 FOR UPDATE SKIP LOCKED),
            gone AS (DELETE FROM fan_out USING old
                     WHERE fan_out.site_id = old.site_id AND fan_out.occasion = old.occasion RETURNING 1)
       SELECT FROM gone`,
      [size],
    );
    return rows.length;
  }

  async #spread(manager: EntityManager, claimed: Claimed, size: number): Promise<void> {
    const { site_id, occasion, kind, audience, audience_id, after_person, title, body, path, subject_id } = claimed;
    const topic = topicOf(kind);
    const recipients = `
      SELECT $1::uuid AS site_id, person_id, $5::text AS occasion, $6::text AS kind, $7::text AS topic,
             $8::uuid AS entity_id, $9::text AS title, $10::text AS body, coalesce($11, path) AS path,
             coalesce($12, subject_id) AS subject_id
      FROM (${AUDIENCES[audience]}) audience`;
    const last = `
      UPDATE fan_out SET after_person = coalesce((SELECT (array_agg(person_id ORDER BY person_id DESC))[1] FROM recipient),
                                                 after_person),
        turn_at = clock_timestamp(), done_at = CASE WHEN (SELECT count(*) FROM recipient) < $4 THEN now() END
      WHERE site_id = $1 AND occasion = $5`;
    const entity = TOPICS[topic].perCourse ? audience_id : null;
    const telling = [occasion, kind, topic, entity, title, body, path, subject_id];
    await manager.query(`${deliver(recipients)} ${last}`, [site_id, audience_id, after_person, size, ...telling]);
  }
}
