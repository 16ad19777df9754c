import { ACTIVE, UNANNOUNCED, released } from '#src/course-access/course-access.js';
import { CANCELED_WITH_EVENT } from './canceled-event.js';
import { memberTime } from '#src/messages/local-time.js';
import { NOTIFICATION_DAYS } from '#src/notifications/kinds.policy.js';
import { coursePathSql } from '#src/notifications/notification-url.js';
import { OCCASIONS } from '#src/notifications/occasions.js';
import { LIVE_SUBSCRIPTION } from '#src/subscriptions/live-subscription.js';
import type { Audience } from './fan-out.js';
import { PAID_ENROLLMENT } from './paid-enrollment.js';

interface AudienceRule {
  /**
   * Selects `person_id, subject_id, path, parameters` of the next recipients, each once, in a fixed order. Parameters:
   * `$1` site, `$2` audience, `$3` last recipient, `$4` batch size, `$5` occasion of the fan-out.
   */
  readonly recipients: string;
  /** Condition over `job`. The fan-out waits for it. */
  readonly ready?: string;
  /** Expression over a recipient: the occasion of each. Without it all have the occasion of the fan-out. */
  readonly occasion?: string;
  /** Another part of the statement of a batch, which changes rows of `recipient`. */
  readonly marks?: string;
}

const columns = (alias: string, { subject, path = 'null::text', parameters = 'null::jsonb' }: Columns): string =>
  `${alias}.person_id, ${subject} as subject_id, ${path} as path, ${parameters} as parameters`;

interface Conditions {
  readonly where: string;
  readonly published: string;
}

interface Columns {
  readonly subject: string;
  readonly path?: string;
  readonly parameters?: string;
}

/**
 * One recipient, of whose row the part after `from` selects the id as `$2`. `ready` waits for the joined row, and until
 * it is `published`.
 */
const ofRow = (
  alias: string,
  key: string,
  from: string,
  { where, published }: Conditions,
  given: Columns,
): AudienceRule => ({
  recipients: `
    select ${columns(alias, given)} from ${from}
    where ${alias}.site_id = $1 and ${alias}.${key} = $2 and ${alias}.person_id > $3 and ${where} limit $4`,
  ready: `exists (select from ${from} where ${alias}.site_id = job.site_id and ${alias}.${key} = job.audience_id
    and ${published})`,
});

/** Joins the membership of a recipient, which has their time zone. */
const membershipOf = (alias: string): string =>
  `left join memberships m on m.site_id = ${alias}.site_id and m.person_id = ${alias}.person_id`;

const SERVICE =
  'join consulting_services v on v.site_id = q.site_id and v.consulting_service_id = q.consulting_service_id';
const LIVE_PURCHASE = `q.state = 'active' and v.state not in ('draft', 'deleted')`;
const OF_PURCHASE: Columns = { subject: 'q.purchase_id', parameters: `jsonb_build_object('service', v.name)` };

const GRANT =
  'digital_product_grants g join digital_products d on d.site_id = g.site_id and d.digital_product_id = g.digital_product_id';
const LIVE_GRANT = `g.state = 'active' and d.state not in ('draft', 'deleted')`;
const OF_GRANT: Columns = { subject: 'g.grant_id', parameters: `jsonb_build_object('product', d.name)` };

const courseIs = (condition: string): string => `exists (
  select from courses c where c.course_id = job.audience_id and c.site_id = job.site_id and ${condition})`;
const PUBLISHED_COURSE = courseIs(`c.state <> 'draft'`);

const OF_LECTURE = OCCASIONS.lecture.is;

/** The lecture that a fan-out of the occasion announces, with the times of its section. */
const announcedLecture = (site: string, course: string, occasion: string): string => `
  select l.title, l.free_preview, cs.drip_days, cs.opens_at
  from curricula cu
  cross join jsonb_to_recordset(cu.sections) as cs (drip_days int, opens_at timestamptz, lectures jsonb)
  cross join jsonb_to_recordset(cs.lectures) as l (lecture_id uuid, title text, free_preview bool)
  where cu.site_id = ${site} and cu.course_id = ${course} and ${OF_LECTURE(occasion)}
    and ${OCCASIONS.lecture.sql('l.lecture_id')} = ${occasion}`;

/** A lecture waits for the curriculum that has it. The pieces of a large one arrive one by one. */
const KNOWN_LECTURE = `(not ${OF_LECTURE('job.occasion')}
  or exists (${announcedLecture('job.site_id', 'job.audience_id', 'job.occasion')}))`;

/**
 * The members who got something within the days of a notification, for when it is published. Those who were notified
 * before are not notified again: the occasion is that of their own fan-out.
 */
const holders = (
  alias: string,
  key: 'product_granted' | 'consulting_granted',
  from: string,
  given: { since: string; where: string } & Columns,
) => ({
  recipients: `
    select ${columns(alias, given)} from ${from}
    where ${alias}.site_id = $1 and ${given.where} and ${alias}.person_id > $3
      and ${given.since} > now() - interval '${NOTIFICATION_DAYS} days'
    order by ${alias}.person_id fetch first $4 rows with ties`,
  occasion: OCCASIONS[key].sql('subject_id'),
});

export const AUDIENCES: Readonly<Record<Audience['audience'], AudienceRule>> = {
  // A fan-out of a deleted course ends without recipients. A lecture reaches the members who can open it.
  course: {
    recipients: `
      with lecture as materialized (${announcedLecture('$1', '$2', '$5::text')})
      select ${columns('e', {
        subject: 'e.enrollment_id',
        path: coursePathSql('c.slug'),
        parameters: `(select jsonb_build_object('lecture', title) from lecture)`,
      })}
      from (select distinct on (e.person_id) e.person_id, e.enrollment_id
            from enrollments e left join lecture l on true
            where e.site_id = $1 and e.course_id = $2 and ${ACTIVE} and e.person_id > $3
              and (not ${OF_LECTURE('$5::text')} or ${released('l', 'l')})
            order by e.person_id, e.enrollment_id limit $4) e
      join courses c on c.site_id = $1 and c.course_id = $2 and c.state <> 'deleted'`,
    // The curriculum of a deleted course has no lectures.
    ready: courseIs(`(c.state = 'deleted' or c.state <> 'draft' and ${KNOWN_LECTURE})`),
  },
  // Each batch marks its enrollments, and so the next one finds others.
  new_enrollments: {
    recipients: `
      select ${columns('e', {
        subject: 'e.enrollment_id',
        path: coursePathSql('c.slug'),
        parameters: `jsonb_build_object('course', c.name)`,
      })}
      from courses c join enrollments e on e.course_id = c.course_id and e.site_id = c.site_id
      where c.site_id = $1 and c.course_id = $2 and c.state not in ('draft', 'deleted') and $3::uuid is not null
        and ${UNANNOUNCED} limit $4`,
    ready: PUBLISHED_COURSE,
    occasion: OCCASIONS.enrollment.sql('subject_id'),
    marks: `announced as (
      update enrollments e set announced_at = now() from recipient where e.enrollment_id = recipient.subject_id)`,
  },
  site: {
    recipients: `
      select ${columns('m', { subject: 'null::uuid' })} from memberships m
      where m.site_id = $1 and $2::uuid is null and m.roles <> '{}' and m.person_id > $3
      order by m.person_id limit $4`,
  },
  paying_members: {
    recipients: `
      select ${columns('p', { subject: 'null::uuid' })} from (
        (select distinct s.person_id from subscriptions s
         where s.site_id = $1 and $2::uuid is null and ${LIVE_SUBSCRIPTION} and s.person_id > $3
         order by s.person_id limit $4)
        union
        (select distinct e.person_id from enrollments e
         where e.site_id = $1 and ${PAID_ENROLLMENT} and e.person_id > $3
         order by e.person_id limit $4)
      ) p order by p.person_id limit $4`,
  },
  membership_plan: {
    recipients: `
      select distinct on (s.person_id) ${columns('s', { subject: 'null::uuid' })} from subscriptions s
      where s.site_id = $1 and s.plan_id = $2 and ${LIVE_SUBSCRIPTION} and s.person_id > $3
      order by s.person_id limit $4`,
  },
  event: {
    recipients: `
      select distinct on (r.person_id) ${columns('r', {
        subject: 'r.registration_id',
        parameters: `jsonb_build_object('start', ${memberTime('t.starts_at', 't.timezone')})`,
      })}
      from event_registrations r join events t on t.site_id = $1 and t.event_id = $2 ${membershipOf('r')}
      where r.site_id = $1 and r.event_id = $2 and r.state = 'registered' and r.person_id > $3
      order by r.person_id, r.registration_id limit $4`,
    ready: 'exists (select from events t where t.site_id = job.site_id and t.event_id = job.audience_id)',
  },
  canceled_event: {
    recipients: `
      select distinct on (r.person_id) ${columns('r', { subject: 'r.registration_id' })}
      from event_registrations r join events t on t.site_id = $1 and t.event_id = $2
      where r.site_id = $1 and r.event_id = $2 and r.person_id > $3
        and ${CANCELED_WITH_EVENT}
      order by r.person_id, r.registration_id limit $4`,
  },
  // The cancellation of an event has a notification of its own.
  registration: ofRow(
    'r',
    'registration_id',
    'event_registrations r join events t on t.site_id = r.site_id and t.event_id = r.event_id',
    { where: `t.state in ('published', 'live')`, published: `t.state <> 'draft'` },
    {
      subject: 'r.registration_id',
      path: `'/events/' || t.slug`,
      parameters: `jsonb_build_object('event', t.name)`,
    },
  ),
  booking: ofRow(
    'b',
    'booking_id',
    `consulting_bookings b join consulting_purchases q on q.site_id = b.site_id and q.purchase_id = b.purchase_id ${SERVICE}
     ${membershipOf('b')}`,
    { where: 'true', published: 'true' },
    {
      subject: 'b.purchase_id',
      parameters: `jsonb_build_object('service', v.name, 'start', ${memberTime('b.starts_at', 'v.timezone')})`,
    },
  ),
  product_grant: ofRow(
    'g',
    'grant_id',
    GRANT,
    // The publication of a draft has a fan-out of its own.
    { where: LIVE_GRANT, published: 'true' },
    OF_GRANT,
  ),
  product_holders: holders('g', 'product_granted', GRANT, {
    ...OF_GRANT,
    where: `g.digital_product_id = $2 and ${LIVE_GRANT}`,
    since: 'g.granted_at',
  }),
  consulting_purchase: ofRow(
    'q',
    'purchase_id',
    `consulting_purchases q ${SERVICE}`,
    { where: LIVE_PURCHASE, published: 'true' },
    OF_PURCHASE,
  ),
  service_holders: holders('q', 'consulting_granted', `consulting_purchases q ${SERVICE}`, {
    ...OF_PURCHASE,
    where: `q.consulting_service_id = $2 and ${LIVE_PURCHASE}`,
    since: 'q.purchased_at',
  }),
};
