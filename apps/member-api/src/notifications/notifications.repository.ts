import { Injectable } from '@nestjs/common';
import type { Principal } from '@lyceum/contracts';
import { Sql, together } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { lockMemberships } from '#src/people/member-erasures.js';
import { presentMember } from '#src/people/present-member.js';
import { nodes } from '#src/reading/source-catalog.js';
import { VIEWER_READER } from '#src/reading/viewer-profile.js';
import { nodeUuid, sql } from '#src/selection/sources.js';
import type { FieldSource, Sources } from '#src/selection/sources.js';
import { deliver } from './delivery.js';
import { topicOf } from './kinds.policy.js';
import type { Message } from './kinds.policy.js';
import { notificationUrl } from './notification-url.js';

const notifications: FieldSource = {
  kind: 'connection',
  name: 'notifications',
  from: 'notifications n where n.site_id = :site and n.person_id = :person',
  keys: ['n.created_at', 'n.notification_id'],
  filters: { isRead: { type: 'boolean', where: (value) => `(n.read_at is not null) = ${value}` } },
};

const unreadNotificationCount: FieldSource = sql.number(
  'coalesce((select i.unread from inbox_counts i where i.site_id = :site and i.person_id = :person), 0)',
);

/** A notification of the member by its id, a parameter or a column. */
const notificationOf = (id: string): string =>
  `notifications n where n.site_id = :site and n.person_id = :person and n.notification_id = ${id}`;

const ENROLLED = `select e.course_id from enrollments e
  where e.enrollment_id = n.subject_id and e.site_id = n.site_id and e.person_id = n.person_id`;

/** Other features register the sources of `subject`. */
export const notificationSources: Sources = {
  ...nodes({ Notification: notificationOf }),
  Viewer: {
    notifications,
    notification: { kind: 'one', from: { Notification: notificationOf(nodeUuid('Notification')) } },
    unreadNotificationCount,
  },
  MarkNotificationReadPayload: { notification: { kind: 'one', from: { Notification: notificationOf(':id') } } },
  Notification: {
    id: sql.id('Notification', 'n.notification_id'),
    kind: { kind: 'value', json: `'"' || upper(n.kind) || '"'` },
    title: sql.message(`n.kind || '.title'`, 'n.parameters', VIEWER_READER),
    body: sql.message(`n.kind || '.body'`, 'n.parameters', VIEWER_READER, true),
    url: sql.nullable(sql.text(notificationUrl('n', ':base_url', ENROLLED))),
    isRead: sql.boolean('n.read_at is not null'),
    readAt: sql.nullable(sql.instant('n.read_at')),
    createdAt: sql.instant('n.created_at'),
  },
};

export type NewNotification = Message & {
  readonly site_id: string;
  readonly person_id: string;
  /** Deduplication key: a member gets one notification per occasion. */
  readonly occasion: string;
  /** Path below the site's base URL; `notificationUrl` makes the address of it. */
  readonly path: string | null;
  readonly subject_id: string | null;
};

/** New texts of a notification. `rewrite` has an index for its kind alone. */
export type RewrittenNotification = Pick<NewNotification, 'site_id' | 'occasion'> &
  Extract<Message, { readonly kind: 'comment_replied' }>;

export interface Marked {
  readonly found: boolean;
  readonly unread: number;
}

/** `unread` is null when nothing was marked. */
type Counted<Result> = Omit<Result, 'unread'> & { readonly unread: number | null };

/** The result of one batch. */
export interface MarkedBatch {
  readonly marked: number;
  readonly unread: number;
  /** The upper bound of the marked rows; all batches of one request use the same one. */
  readonly until: string;
}

/**
 * The upper bound of the rows to mark, in the milliseconds of `created_at`. The column rounds, so a row can be later
 * than the `now()` that wrote it. A bound given by a client is never rounded up to a row that it has not seen.
 */
const upTo = (instant: string): string =>
  `least(now()::timestamptz(3), date_trunc('milliseconds', ${instant}::timestamptz))`;

const GIVEN = `select given.*, null::uuid as entity_id
  from json_to_recordset($1) as given (site_id uuid, person_id uuid, occasion text, kind text, topic text,
                                       parameters jsonb, path text, subject_id uuid)`;

@Injectable()
export class NotificationsRepository {
  constructor(private readonly database: Sql) {}

  /** Delivers notifications in one statement. An erasure of a recipient comes before or after it. */
  async insert(tx: EntityManager, made: readonly NewNotification[]): Promise<void> {
    const given = made.map((one) => ({ ...one, topic: topicOf(one.kind) }));
    await together([lockMemberships(made, tx), tx.query(`${deliver(GIVEN)} select`, [JSON.stringify(given)])]);
  }

  /** Replaces the texts of a delivered occasion, also in its mails. */
  async rewrite(tx: EntityManager, { site_id, occasion, kind, parameters }: RewrittenNotification): Promise<void> {
    for (const table of ['notifications', 'outbound_mails']) {
      // The partial index needs the kind as a literal.
      const text = `update ${table} set parameters = $3 where site_id = $1 and occasion = $2 and kind = '${kind}'`;
      await tx.query(text, [site_id, occasion, parameters]);
    }
  }

  /** Ends the mails of an occasion that have not been sent. */
  async endMails(tx: EntityManager, { site_id, occasion, kind }: RewrittenNotification): Promise<void> {
    await tx.query(
      `update outbound_mails set ended_at = now(), failure = null
       where site_id = $1 and occasion = $2 and kind = '${kind}' and (ended_at is null or failure is not null)`,
      [site_id, occasion],
    );
  }

  /**
   * Marks and counts in one statement. A concurrent second one waits for the row and then finds it read, so that the
   * first `read_at` stays and the row is counted once. Its snapshot is older than that count, so another statement
   * reads the count.
   */
  async markRead({ site_id, person_id }: Principal, id: string): Promise<Marked> {
    const text = `
      with present as (select from ${presentMember('$1', '$2')}),
      marked as (
        update notifications set read_at = now()
        where notification_id = $3 and site_id = $1 and person_id = $2 and read_at is null and exists (select from present)
        returning 1),
      counted as (
        update inbox_counts set unread = unread - 1
        where site_id = $1 and person_id = $2 and exists (select from marked)
        returning unread)
      select exists (select from present, notifications
                     where notification_id = $3 and site_id = $1 and person_id = $2) as found,
             (select unread from counted) as unread`;
    const values = [site_id, person_id, id];
    const [row] = await this.database.query<Counted<Marked>>({ name: 'mark_notification_read', text }, values);
    return { found: row?.found ?? false, unread: row?.unread ?? (await this.#unread(values)) };
  }

  /**
   * Marks the oldest unread notifications up to an instant, but not later than now, in a transaction of its own. It
   * locks the count only at its end, so new notifications do not wait. It waits for rows locked by a concurrent
   * request, and leaves out those that this request has marked.
   */
  async markBatch({ site_id, person_id }: Principal, until: string | null, size: number): Promise<MarkedBatch> {
    const text = `
      with bound as (select ${upTo('$3')} as until from ${presentMember('$1', '$2')}),
      batch as materialized (
        select notification_id from notifications
        where site_id = $1 and person_id = $2 and read_at is null and created_at <= (select until from bound)
        order by created_at limit $4 for update),
      marked as (
        update notifications n set read_at = now() from batch where n.notification_id = batch.notification_id
        returning 1),
      counted as (
        update inbox_counts set unread = unread - (select count(*) from marked)
        where site_id = $1 and person_id = $2 and exists (select from marked)
        returning unread)
      select (select count(*)::int from marked) as marked, coalesce((select until from bound), now())::text as until,
             (select unread from counted) as unread`;
    const values = [site_id, person_id, until, size];
    const [row] = await this.database.query<Counted<MarkedBatch>>({ name: 'mark_notifications_read', text }, values);
    if (row === undefined) throw new Error('An aggregate without a row');
    return { ...row, unread: row.unread ?? (await this.#unread(values)) };
  }

  /** Reads the count in a snapshot of its own. */
  async #unread([site_id, person_id]: readonly unknown[]): Promise<number> {
    const text = 'select unread from inbox_counts where site_id = $1 and person_id = $2';
    const [row] = await this.database.query<{ unread: number }>({ name: 'unread_count', text }, [site_id, person_id]);
    return row?.unread ?? 0;
  }

  /** Previews `markRead`. */
  async foreseeRead({ site_id, person_id }: Principal, id: string): Promise<Marked> {
    const text = `
      with meant as (
        select read_at from notifications
        where notification_id = $3 and site_id = $1 and person_id = $2
          and exists (select from ${presentMember('$1', '$2')}))
      select exists (select from meant) as found,
             (coalesce((select unread from inbox_counts where site_id = $1 and person_id = $2), 0)
               - (select count(*) from meant where read_at is null))::int as unread`;
    const [row] = await this.database.query<Marked>({ name: 'foresee_read', text }, [site_id, person_id, id]);
    return row ?? { found: false, unread: 0 };
  }

  /** Previews marking all notifications up to the instant. */
  async foreseeAllRead(
    { site_id, person_id }: Principal,
    until: string | null,
  ): Promise<Pick<MarkedBatch, 'marked' | 'unread'>> {
    const text = `
      with meant as (
        select count(*)::int as marked from notifications
        where site_id = $1 and person_id = $2 and read_at is null and created_at <= ${upTo('$3')}
          and exists (select from ${presentMember('$1', '$2')}))
      select marked, coalesce((select unread from inbox_counts where site_id = $1 and person_id = $2), 0) - marked as unread
      from meant`;
    const values = [site_id, person_id, until];
    const [row] = await this.database.query<MarkedBatch>({ name: 'foresee_all_read', text }, values);
    if (row === undefined) throw new Error('An aggregate without a row');
    return row;
  }

  /** Removes a batch of notifications older than `days` and returns their number. Skips locked rows. */
  async sweep(days: number, size: number): Promise<number> {
    const text = `
      with old as materialized (
        select notification_id from notifications where created_at < now() - make_interval(days => $1)
        order by created_at limit $2 for update skip locked),
      gone as (
        delete from notifications n using old where n.notification_id = old.notification_id
        returning n.site_id, n.person_id, n.read_at),
      unread as (
        select site_id, person_id, count(*)::int as unread from gone where read_at is null group by site_id, person_id),
      held as materialized (
        select i.site_id, i.person_id, u.unread from inbox_counts i join unread u using (site_id, person_id)
        order by i.site_id, i.person_id for update of i),
      counted as (
        update inbox_counts i set unread = i.unread - held.unread from held
        where i.site_id = held.site_id and i.person_id = held.person_id)
      select count(*)::int as removed from gone`;
    const [row] = await this.database.query<{ removed: number }>({ name: 'sweep_notifications', text }, [days, size]);
    return row?.removed ?? 0;
  }
}
