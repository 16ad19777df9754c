import { Injectable } from '@nestjs/common';
import type { Principal } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import { presentMember } from '#src/people/present-member.js';
import { sql } from '#src/selection/sources.js';
import type { FieldSource, Sources } from '#src/selection/sources.js';
import { preferencesOf, preferred } from './preferences.js';
import type { Setting } from './preferences.js';
import { subscriptionId } from './subscription-id.js';
import { topicRows } from './topics.policy.js';

/**
 * The subscriptions of a member: one for each topic, and for the topics of courses one for each course that they take.
 * Most of them are rows nowhere.
 */
const subscriptions = (site: string, person: string): string => `(
  SELECT w.topic, w.entity_id, w.listed_at, t.description, t.transactional,
         ${preferred('active')} AS active, ${preferred('in_app')} AS in_app, ${preferred('email')} AS email,
         ${preferred('push')} AS push,
         CASE WHEN w.entity_id IS NULL THEN for_all.updated_at ELSE for_course.updated_at END AS updated_at,
         ${subscriptionId('w')} AS id
  FROM (
    SELECT ${site} AS site_id, ${person} AS person_id, topic, NULL::uuid AS entity_id,
           timestamptz '9000-01-01 00:00:00Z' - place * interval '1 second' AS listed_at
    FROM ${topicRows('whole')}
    UNION ALL
    SELECT ${site}, ${person}, each.topic, taken.course_id, taken.started_at
    FROM (SELECT e.course_id, max(e.started_at) AS started_at
          FROM enrollment e JOIN course c ON c.course_id = e.course_id
          WHERE e.site_id = ${site} AND e.person_id = ${person} AND e.state = 'active'
            AND (e.expires_at IS NULL OR e.expires_at > now())
            AND c.site_id = e.site_id AND c.state NOT IN ('draft', 'deleted')
          GROUP BY e.course_id) taken
    CROSS JOIN ${topicRows('each')} WHERE each.per_course
  ) w ${preferencesOf('w')}) s`;

const notificationSubscriptions: FieldSource = {
  kind: 'connection',
  name: 'notificationSubscriptions',
  from: `${subscriptions(':site', ':person')} WHERE true`,
  keys: ['s.listed_at', 's.id'],
};

/** A subscription of the member by its id, a parameter. */
const notificationSubscriptionOf = (id: string): string => `${subscriptions(':site', ':person')} WHERE s.id = ${id}`;

export const notificationSubscriptionSources: Sources = {
  Viewer: { notificationSubscriptions },
  UpdateNotificationSubscriptionPayload: {
    subscription: { kind: 'one', from: { NotificationSubscription: notificationSubscriptionOf(':id') } },
  },
  NotificationSubscription: {
    id: sql.uuid('s.id'),
    topic: { kind: 'value', json: `'"' || upper(s.topic) || '"'` },
    description: sql.text('s.description'),
    entityType: { kind: 'value', json: `CASE WHEN s.entity_id IS NULL THEN 'null' ELSE '"COURSE"' END` },
    entityId: sql.nullable(sql.uuid('s.entity_id')),
    channels: {
      kind: 'list',
      from: `(VALUES (1, 'IN_APP', s.in_app), (2, 'EMAIL', s.email), (3, 'PUSH', s.push)) h (place, channel, enabled)`,
      orderBy: 'h.place',
    },
    active: sql.boolean('s.active'),
    canChange: sql.boolean('NOT s.transactional'),
    updatedAt: sql.nullable(sql.instant('s.updated_at')),
  },
  NotificationChannelSetting: {
    channel: { kind: 'value', json: `'"' || h.channel || '"'` },
    enabled: sql.boolean('h.enabled'),
  },
};

/** Null leaves a setting as it is. */
export type SubscriptionChange = { readonly [Name in Setting]: boolean | null };

export type Settings = { readonly [Name in Setting]: boolean };

/** A subscription of the member as the change leaves it. */
export interface Changed extends Settings {
  readonly transactional: boolean;
  readonly topic: string;
  readonly entity_id: string | null;
  /** Null when nothing was written. */
  readonly version: number | null;
  readonly updated_at: Date | null;
}

@Injectable()
export class NotificationSubscriptionsRepository {
  /** Undefined when the member has no such subscription. What is so already, or cannot change, is not written. */
  async change(
    manager: EntityManager,
    { site_id, person_id }: Pick<Principal, 'site_id' | 'person_id'>,
    id: string,
    { active, in_app, email, push, dryRun }: SubscriptionChange & { readonly dryRun: boolean },
  ): Promise<Changed | undefined> {
    const [changed] = await manager.query<Changed[]>(
      `WITH target AS (
         SELECT s.* FROM ${subscriptions('$1::uuid', '$2::uuid')}
         WHERE s.id = $3 AND EXISTS (SELECT FROM ${presentMember('$1', '$2')})),
       wanted AS (
         SELECT topic, entity_id, coalesce($4::boolean, active) AS active, coalesce($5::boolean, in_app) AS in_app,
                coalesce($6::boolean, email) AS email, coalesce($7::boolean, push) AS push
         FROM target WHERE NOT transactional AND NOT $8::boolean
         EXCEPT SELECT topic, entity_id, active, in_app, email, push FROM target),
       changed AS (
         INSERT INTO notification_subscription AS old
           (site_id, person_id, topic, entity_id, version, active, in_app, email, push, updated_at)
         SELECT $1, $2, topic, entity_id, 1, active, in_app, email, push, now() FROM wanted
         ON CONFLICT (site_id, person_id, topic, entity_id) DO UPDATE
           SET version = old.version + 1, updated_at = excluded.updated_at,
               active = coalesce($4, old.active), in_app = coalesce($5, old.in_app),
               email = coalesce($6, old.email), push = coalesce($7, old.push)
           WHERE (coalesce($4, old.active), coalesce($5, old.in_app), coalesce($6, old.email), coalesce($7, old.push))
                 <> (old.active, old.in_app, old.email, old.push)
         RETURNING version, active, in_app, email, push, updated_at)
       SELECT target.transactional, target.topic, target.entity_id, changed.version, changed.updated_at,
              coalesce(changed.active, $4, target.active) AS active, coalesce(changed.in_app, $5, target.in_app) AS in_app,
              coalesce(changed.email, $6, target.email) AS email, coalesce(changed.push, $7, target.push) AS push
       FROM target LEFT JOIN changed ON true`,
      [site_id, person_id, id, active, in_app, email, push, dryRun],
    );
    return changed;
  }
}
