import { Injectable } from '@nestjs/common';
import type { Principal } from '@lyceum/contracts';
import { together } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { ACTIVE, ENROLLED_COURSE } from '#src/course-access/course-access.js';
import { hasLeft } from '#src/people/has-left.js';
import { lockMemberships } from '#src/people/member-erasures.js';
import { presentMember } from '#src/people/present-member.js';
import { nodes } from '#src/reading/source-catalog.js';
import { VIEWER_READER } from '#src/reading/viewer-profile.js';
import { argument, sql } from '#src/selection/sources.js';
import type { FieldSource, Sources } from '#src/selection/sources.js';
import { SETTINGS, chosenSetting, inherited, preferencesOf, preferred } from './preferences.js';
import type { Setting } from './preferences.js';
import { subscriptionId } from './subscription-id.js';
import { topicRows } from './topics.statements.js';

/** The courses of a member's list: those of the enrollments that are active now. */
const activeCourses = (site: string, person: string): string => `
  select e.course_id, max(e.started_at) as started_at
  from ${ENROLLED_COURSE}
  where e.site_id = ${site} and e.person_id = ${person} and ${ACTIVE} and c.state not in ('draft', 'deleted')
  group by e.course_id`;

/** The courses of the links in a member's mails: an enrollment that has ended can begin again. */
const allCourses = (site: string, person: string): string => `
  select course_id, max(started_at) as started_at from enrollments
  where site_id = ${site} and person_id = ${person} group by course_id`;

/**
 * The subscriptions of a member: one for each topic, and one for each of the courses and topic of courses. Most of them
 * have no row.
 */
const subscriptions = (site: string, person: string, courses = activeCourses(site, person), more = ''): string => `(
  select w.topic, w.entity_id, w.listed_at, t.transactional,
         ${preferred('active')} as active, ${preferred('in_app')} as in_app, ${preferred('email')} as email${more},
         case when w.entity_id is null then for_all.updated_at else for_course.updated_at end as updated_at,
         ${subscriptionId('w')} as id
  from (
    select ${site} as site_id, ${person} as person_id, topic, null::uuid as entity_id,
           timestamptz '9000-01-01 00:00:00Z' - place * interval '1 second' as listed_at
    from ${topicRows('whole')}
    union all
    select ${site}, ${person}, each.topic, taken.course_id, taken.started_at
    from (${courses}) taken
    cross join ${topicRows('each')} where each.per_course
  ) w ${preferencesOf('w')}) s`;

const notificationSubscriptions: FieldSource = {
  kind: 'connection',
  name: 'notificationSubscriptions',
  from: `${subscriptions(':site', ':person')} where true`,
  keys: ['s.listed_at', 's.id'],
};

/** A subscription of the member by its id, a parameter. */
const notificationSubscriptionOf = (id: string): string => `${subscriptions(':site', ':person')} where s.id = ${id}`;

/** The subscription to a topic, of one course when the argument is given. */
const ofTopic = `${subscriptions(':site', ':person')} where upper(s.topic) = ${argument('topic', 'text')}
  and s.entity_id is not distinct from ${argument('entityId', 'uuid')}`;

export const notificationSubscriptionSources: Sources = {
  ...nodes({ NotificationSubscription: notificationSubscriptionOf }),
  Viewer: {
    notificationSubscriptions,
    notificationSubscription: { kind: 'one', from: { NotificationSubscription: ofTopic } },
  },
  UpdateNotificationSubscriptionPayload: {
    subscription: { kind: 'one', from: { NotificationSubscription: notificationSubscriptionOf(':id') } },
  },
  NotificationSubscription: {
    id: sql.id('NotificationSubscription', 's.id'),
    topic: { kind: 'value', json: `'"' || upper(s.topic) || '"'` },
    description: sql.message(`'topic.' || s.topic`, `'{}'::jsonb`, VIEWER_READER),
    entityType: { kind: 'value', json: `case when s.entity_id is null then 'null' else '"COURSE"' end` },
    entityId: sql.nullable(sql.uuid('s.entity_id')),
    channels: {
      kind: 'list',
      from: `(values (1, 'IN_APP', s.in_app), (2, 'EMAIL', s.email)) h (place, channel, enabled)`,
      orderBy: 'h.place',
    },
    active: sql.boolean('s.active'),
    canChange: sql.boolean('not s.transactional'),
    updatedAt: sql.nullable(sql.instant('s.updated_at')),
  },
  NotificationChannelSetting: {
    channel: { kind: 'value', json: `'"' || h.channel || '"'` },
    enabled: sql.boolean('h.enabled'),
  },
};

const [SITE, PERSON] = ['$1::uuid', '$2::uuid'];
const INHERITED_EMAIL = `, ${inherited('w', 'email')} as inherited_email`;

/** The subscription of a change by a signed-in member. */
const LISTED = `select s.* from ${subscriptions(SITE, PERSON, activeCourses(SITE, PERSON), INHERITED_EMAIL)}
  where s.id = $3 and exists (select from ${presentMember('$1', '$2')})`;

/**
 * The subscription of a link in a mail (RFC 8058). Works for a suspended member too, who can come back. A member who
 * left has it, too, but nothing is written: the settings of the member were erased.
 */
const LINKED = `select s.* from ${subscriptions(SITE, PERSON, allCourses(SITE, PERSON), INHERITED_EMAIL)}
  where s.id = $3`;

/** Settings of the row before a change; null for those that it inherits. */
const CHOSEN = SETTINGS.map((setting) => chosenSetting('old', setting));

/** Null leaves a setting as it is. */
export type SubscriptionChange = { readonly [Name in Setting]: boolean | null };

export interface ChangeOptions {
  readonly dryRun: boolean;
  /** By the link of a mail. */
  readonly byLink: boolean;
}

export type Settings = { readonly [Name in Setting]: boolean };

/** A subscription of the member after the change. */
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
  /**
   * Undefined when the member has no such subscription. A setting that is given is the choice of the member, also if it
   * was the same by inheritance. A repeated choice and mandatory settings are not written. A new row inherits the
   * settings that the change leaves as they are. An undo by a link chooses only what the row would not inherit.
   */
  async change(
    tx: EntityManager,
    { site_id, person_id }: Pick<Principal, 'site_id' | 'person_id'>,
    id: string,
    { active, in_app, email, dryRun, byLink }: SubscriptionChange & ChangeOptions,
  ): Promise<Changed | undefined> {
    // Another statement, so that it sees an erasure of the member that was first.
    const locked = lockMemberships([{ site_id, person_id }], tx);
    const written = tx.query<Changed[]>(
      `with target as (
         ${byLink ? LINKED : LISTED}),
       wanted as (
         select topic, entity_id, coalesce($4::boolean, active) as active, coalesce($5::boolean, in_app) as in_app,
                coalesce($6::boolean, email) as email, $8::boolean and inherited_email as restores
         from target
         where not transactional and not $7::boolean and not ${hasLeft('$1', '$2')} and coalesce($4, $5, $6) is not null
           and not ($8 and email)),
       changed as (
         insert into notification_subscriptions as old
           (site_id, person_id, topic, entity_id, version, active, in_app, email, updated_at,
            inherited_active, inherited_in_app, inherited_email)
         select $1, $2, topic, entity_id, 1, active, in_app, email, now(), case when $4 is null then active end,
                case when $5 is null then in_app end, case when $6 is null or restores then email end
         from wanted
         on conflict (site_id, person_id, topic, entity_id) do update
           set version = old.version + 1, updated_at = excluded.updated_at,
               active = coalesce($4, old.active), in_app = coalesce($5, old.in_app),
               email = coalesce($6, old.email),
               inherited_active = case when $4 is null then old.inherited_active end,
               inherited_in_app = case when $5 is null then old.inherited_in_app end,
               inherited_email = case when $6 is null then old.inherited_email else excluded.inherited_email end
           where (coalesce($4, ${CHOSEN[0]}), coalesce($5, ${CHOSEN[1]}), coalesce($6, ${CHOSEN[2]}))
                 is distinct from (${CHOSEN.join(', ')})
         returning version, updated_at, nullif(active, inherited_active) as active,
                   nullif(in_app, inherited_in_app) as in_app, nullif(email, inherited_email) as email)
       select target.transactional, target.topic, target.entity_id, changed.version, changed.updated_at,
              coalesce(changed.active, $4, target.active) as active, coalesce(changed.in_app, $5, target.in_app) as in_app,
              coalesce(changed.email, $6, target.email) as email
       from target left join changed on true`,
      [site_id, person_id, id, active, in_app, email, dryRun, byLink && email === true],
    );
    const [, [changed]] = await together([locked, written]);
    return changed;
  }
}
