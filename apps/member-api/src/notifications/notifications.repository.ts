import { Injectable } from '@nestjs/common';
import type { Principal } from '@lyceum/contracts';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { presentMember } from '#src/people/present-member.js';
import { sql } from '#src/selection/sources.js';
import type { FieldSource, Sources } from '#src/selection/sources.js';
import { deliver } from './delivery.js';
import { topicOf } from './kinds.policy.js';
import type { Kind } from './kinds.policy.js';

const notifications: FieldSource = {
  kind: 'connection',
  name: 'notifications',
  from: 'notification n WHERE n.site_id = :site AND n.person_id = :person',
  keys: ['n.created_at', 'n.notification_id'],
};

const unreadNotificationCount: FieldSource = sql.number(
  'coalesce((SELECT i.unread FROM inbox_count i WHERE i.site_id = :site AND i.person_id = :person), 0)',
);

/** A notification of the member by its id, a parameter or a column. */
const notificationOf = (id: string): string =>
  `notification n WHERE n.site_id = :site AND n.person_id = :person AND n.notification_id = ${id}`;

/** What a notification is about is among the sources of other features. */
export const notificationSources: Sources = {
  Viewer: { notifications, unreadNotificationCount },
  MarkNotificationReadPayload: { notification: { kind: 'one', from: { Notification: notificationOf(':id') } } },
  Notification: {
    id: sql.uuid('n.notification_id'),
    kind: { kind: 'value', json: `'"' || upper(n.kind) || '"'` },
    title: sql.text('n.title'),
    body: sql.nullable(sql.text('n.body')),
    url: sql.nullable(sql.text(':base_url || n.path')),
    isRead: sql.boolean('n.read_at IS NOT NULL'),
    readAt: sql.nullable(sql.instant('n.read_at')),
    createdAt: sql.instant('n.created_at'),
  },
};

export interface NewNotification {
  readonly site_id: string;
  readonly person_id: string;
  /** What it is about, once: a second notification for the same occasion is not made. */
  readonly occasion: string;
  readonly kind: Kind;
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

/** A batch of those that were marked. */
export interface MarkedBatch {
  readonly marked: number;
  readonly unread: number;
  /** Up to when they were marked: the batches of one request agree on it. */
  readonly until: string;
}

/**
 * Up to when to mark. The given instant stands for its whole millisecond: a client that keeps instants in milliseconds,
 * as JavaScript does, gives the truncated `createdAt` of the newest notification that it has seen.
 */
const upTo = (instant: string): string =>
  `least(now(), date_trunc('milliseconds', ${instant}::timestamptz) + interval '999 microseconds')`;

const GIVEN = `SELECT given.*, NULL::uuid AS entity_id
  FROM json_to_recordset($1) AS given (site_id uuid, person_id uuid, occasion text, kind text, topic text,
                                       title text, body text, path text, subject_id uuid)`;

@Injectable()
export class NotificationsRepository {
  constructor(private readonly database: Sql) {}

  /** Tells what is new, in one statement. */
  async insert(manager: EntityManager, made: readonly NewNotification[]): Promise<void> {
    const given = made.map((one) => ({ ...one, topic: topicOf(one.kind) }));
    await manager.query(`${deliver(GIVEN)} SELECT`, [JSON.stringify(given)]);
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

  /**
   * Marks the oldest unread ones up to an instant, never a later one than now, in a transaction of their own: the count
   * is locked for its end only, and what arrives meanwhile does not wait. Rows that somebody else marks are theirs.
   */
  async markBatch({ site_id, person_id }: Principal, until: string | null, size: number): Promise<MarkedBatch> {
    const text = `
      WITH bound AS (SELECT ${upTo('$3')} AS until FROM ${presentMember('$1', '$2')}),
      batch AS MATERIALIZED (
        SELECT notification_id FROM notification
        WHERE site_id = $1 AND person_id = $2 AND read_at IS NULL AND created_at <= (SELECT until FROM bound)
        ORDER BY created_at LIMIT $4 FOR UPDATE),
      marked AS (
        UPDATE notification n SET read_at = now() FROM batch WHERE n.notification_id = batch.notification_id
        RETURNING 1),
      counted AS (
        UPDATE inbox_count SET unread = unread - (SELECT count(*) FROM marked)
        WHERE site_id = $1 AND person_id = $2 AND EXISTS (SELECT FROM marked)
        RETURNING unread)
      SELECT (SELECT count(*)::int FROM marked) AS marked, coalesce((SELECT until FROM bound), now())::text AS until,
             coalesce((SELECT unread FROM counted),
                      (SELECT unread FROM inbox_count WHERE site_id = $1 AND person_id = $2), 0) AS unread`;
    const values = [site_id, person_id, until, size];
    const [row] = await this.database.query<MarkedBatch>({ name: 'mark_notifications_read', text }, values);
    if (row === undefined) throw new Error('An aggregate without a row');
    return row;
  }

  /** What `markRead` would answer. */
  async foreseeRead({ site_id, person_id }: Principal, id: string): Promise<Marked> {
    const text = `
      WITH meant AS (
        SELECT read_at FROM notification
        WHERE notification_id = $3 AND site_id = $1 AND person_id = $2
          AND EXISTS (SELECT FROM ${presentMember('$1', '$2')}))
      SELECT EXISTS (SELECT FROM meant) AS found,
             (coalesce((SELECT unread FROM inbox_count WHERE site_id = $1 AND person_id = $2), 0)
               - (SELECT count(*) FROM meant WHERE read_at IS NULL))::int AS unread`;
    const [row] = await this.database.query<Marked>({ name: 'foresee_read', text }, [site_id, person_id, id]);
    return row ?? { found: false, unread: 0 };
  }

  /** What marking all up to the instant would answer. */
  async foreseeAllRead(
    { site_id, person_id }: Principal,
    until: string | null,
  ): Promise<Pick<MarkedBatch, 'marked' | 'unread'>> {
    const text = `
      WITH meant AS (
        SELECT count(*)::int AS marked FROM notification
        WHERE site_id = $1 AND person_id = $2 AND read_at IS NULL AND created_at <= ${upTo('$3')}
          AND EXISTS (SELECT FROM ${presentMember('$1', '$2')}))
      SELECT marked, coalesce((SELECT unread FROM inbox_count WHERE site_id = $1 AND person_id = $2), 0) - marked AS unread
      FROM meant`;
    const values = [site_id, person_id, until];
    const [row] = await this.database.query<MarkedBatch>({ name: 'foresee_all_read', text }, values);
    if (row === undefined) throw new Error('An aggregate without a row');
    return row;
  }

  /** Removes some that are older than so many days, with what they count; says how many. Rows in use are left for later. */
  async sweep(days: number, size: number): Promise<number> {
    const text = `
      WITH old AS MATERIALIZED (
        SELECT notification_id FROM notification WHERE created_at < now() - make_interval(days => $1)
        ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED),
      gone AS (
        DELETE FROM notification n USING old WHERE n.notification_id = old.notification_id
        RETURNING n.site_id, n.person_id, n.read_at),
      unread AS (
        SELECT site_id, person_id, count(*)::int AS unread FROM gone WHERE read_at IS NULL GROUP BY site_id, person_id),
      held AS MATERIALIZED (
        SELECT i.site_id, i.person_id, u.unread FROM inbox_count i JOIN unread u USING (site_id, person_id)
        ORDER BY i.site_id, i.person_id FOR UPDATE OF i),
      counted AS (
        UPDATE inbox_count i SET unread = i.unread - held.unread FROM held
        WHERE i.site_id = held.site_id AND i.person_id = held.person_id)
      SELECT count(*)::int AS removed FROM gone`;
    const [row] = await this.database.query<{ removed: number }>({ name: 'sweep_notifications', text }, [days, size]);
    return row?.removed ?? 0;
  }
}
