import { Injectable } from '@nestjs/common';
import type { Principal } from '@lyceum/contracts';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { presentMember } from '#src/people/present-member.js';
import { sql } from '#src/selection/sources.js';
import type { FieldSource, TypeSource } from '#src/selection/sources.js';

export const notifications: FieldSource = {
  kind: 'connection',
  name: 'notifications',
  from: 'notification n WHERE n.site_id = :site AND n.person_id = :person',
  keys: ['n.created_at', 'n.notification_id'],
};

export const unreadNotificationCount: FieldSource = sql.number(
  'coalesce((SELECT i.unread FROM inbox_count i WHERE i.site_id = :site AND i.person_id = :person), 0)',
);

/** A notification of the member by its id, a parameter or a column. */
export const notificationOf = (id: string): string =>
  `notification n WHERE n.site_id = :site AND n.person_id = :person AND n.notification_id = ${id}`;

/** `subjects`: where the row of each type is that a notification can be about, for the id in `n.subject_id`. */
export const notificationSource = (subjects: (id: string) => Readonly<Record<string, string>>): TypeSource => ({
  id: sql.uuid('n.notification_id'),
  kind: { kind: 'value', json: `'"' || upper(n.kind) || '"'` },
  title: sql.text('n.title'),
  body: sql.nullable(sql.text('n.body')),
  url: sql.nullable(sql.text(':base_url || n.path')),
  isRead: sql.boolean('n.read_at IS NOT NULL'),
  readAt: sql.nullable(sql.instant('n.read_at')),
  createdAt: sql.instant('n.created_at'),
  subject: { kind: 'one', from: subjects('n.subject_id') },
});

export interface NewNotification {
  readonly site_id: string;
  readonly person_id: string;
  /** What it is about, once: a second notification for the same occasion is not made. */
  readonly occasion: string;
  readonly kind: 'course_enrolled';
  readonly title: string;
  readonly body: string | null;
  /** Below the site's base URL. */
  readonly path: string | null;
  readonly subject_id: string | null;
}

export interface Marked {
  readonly found: boolean;
  readonly unread: number;
}

@Injectable()
export class NotificationsRepository {
  constructor(private readonly database: Sql) {}

  /** Inserts what is new and counts it, in one statement; inboxes are locked in one order. */
  async insert(manager: EntityManager, made: readonly NewNotification[]): Promise<void> {
    await manager.query(
      `WITH made AS (
         INSERT INTO notification (site_id, person_id, occasion, kind, title, body, path, subject_id, created_at)
         SELECT site_id, person_id, occasion, kind, title, body, path, subject_id, now()
         FROM json_to_recordset($1) AS given (site_id uuid, person_id uuid, occasion text, kind text, title text,
                                              body text, path text, subject_id uuid)
         ON CONFLICT (site_id, person_id, occasion) DO NOTHING
         RETURNING site_id, person_id)
       INSERT INTO inbox_count AS old (site_id, person_id, unread)
       SELECT site_id, person_id, count(*) FROM made GROUP BY site_id, person_id ORDER BY site_id, person_id
       ON CONFLICT (site_id, person_id) DO UPDATE SET unread = old.unread + excluded.unread`,
      [JSON.stringify(made)],
    );
  }

  /**
   * Marks and counts in one statement. Of two at once the second waits for the row and then finds it read, so that the
   * first time stays and nothing is counted twice.
   */
  async markRead({ site_id, person_id }: Principal, id: string): Promise<Marked> {
    const text = `
      WITH present AS (SELECT FROM ${presentMember('$1', '$2')}),
      marked AS (
        UPDATE notification SET read_at = now()
        WHERE notification_id = $3 AND site_id = $1 AND person_id = $2 AND read_at IS NULL AND EXISTS (SELECT FROM present)
        RETURNING 1),
      counted AS (
        UPDATE inbox_count SET unread = unread - 1
        WHERE site_id = $1 AND person_id = $2 AND EXISTS (SELECT FROM marked)
        RETURNING unread)
      SELECT EXISTS (SELECT FROM present, notification
                     WHERE notification_id = $3 AND site_id = $1 AND person_id = $2) AS found,
             coalesce((SELECT unread FROM counted),
                      (SELECT unread FROM inbox_count WHERE site_id = $1 AND person_id = $2), 0) AS unread`;
    const [row] = await this.database.query<Marked>({ name: 'mark_notification_read', text }, [site_id, person_id, id]);
    return row ?? { found: false, unread: 0 };
  }
}
