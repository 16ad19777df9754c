import type pg from 'pg';
import { makeCurricula } from './curricula.js';
import type { Curricula } from './curricula.js';
import { NAMES, TIMES, numbers, uuid } from './numbers.js';
import { makeNotifications } from './notifications.js';
import { makePurchases } from './purchases.js';
import type { Purchases } from './purchases.js';
import type { Row } from './row.js';

export interface Member {
  readonly site: string;
  readonly person: string;
}

/** Generated rows of the read models, for PostgreSQL and for the naive model. */
export interface Learners extends Purchases, Curricula {
  readonly sites: Row[];
  readonly people: Row[];
  readonly memberships: Row[];
  readonly courses: Row[];
  readonly enrollments: Row[];
  readonly playbacks: Row[];
  readonly notifications: Row[];
  readonly inbox_counts: Row[];
  readonly notification_subscriptions: Row[];
  readonly posts: Row[];
}

export const SITES = [uuid(1, 1), uuid(1, 2)];
export const PEOPLE = [1, 2, 3, 4].map((n) => uuid(2, n));

/** Two sites and four people: with many rows, with few, a former member and a suspended one. Times tie on purpose. */
export function makeLearners(): Learners {
  const { below: next, pick } = numbers(42);
  const site = SITES.map((site_id, n) => ({
    site_id,
    version: 1,
    base_url: `https://site-${n}.example`,
    name: n === 0 ? 'Zebra' : 'Älpha',
    slug: `site-${n}`,
    // The last one is older than public ids.
    org_id: n === 0 ? `org_${n}` : null,
    state: 'active',
    locale: n === 0 ? null : 'zh-TW',
    course_url: n === 0 ? 'https://www.example/{slug}?id={id}' : null,
  }));
  const person = PEOPLE.map((person_id, n) => ({
    person_id,
    version: 1,
    email: `p${n}@example.org`,
    name: NAMES[n] ?? '',
    picture: n === 0 ? 'https://img.example/0.png' : null,
    locale: n === 1 ? null : 'pt-BR',
    state: n === 3 ? 'suspended' : 'active',
  }));
  const membership = PEOPLE.flatMap((person_id, n) =>
    SITES.map((site_id, s) => ({
      person_id,
      site_id,
      version: 1,
      roles: n === 2 && s === 0 ? [] : n === 0 ? ['admin', 'student'] : ['student'],
      joined_at: pick(TIMES),
      // The last one is older than profiles of memberships.
      name: n === 3 ? null : `${NAMES[n]} at ${s}`,
      picture: s === 1 ? 'https://img.example/1.png' : null,
      locale: n === 1 ? 'en' : null,
    })),
  );
  const course = Array.from({ length: 24 }, (_, n) => ({
    course_id: uuid(3, n),
    site_id: SITES[n % 2] ?? '',
    version: 1,
    slug: `course-${n}`,
    name: pick(NAMES),
    image_url: next(2) === 0 ? null : `https://img.example/${n}.png`,
    state: pick(['published', 'published', 'published', 'unpublished', 'archived', 'draft', 'deleted']),
  }));
  // The second person has two enrollments; some name a course of the other site, or one without an event yet.
  const enrollment = Array.from({ length: 60 }, (_, n) => ({
    enrollment_id: uuid(4, (n * 37) % 101),
    site_id: pick(SITES),
    person_id: n < 2 ? (PEOPLE[1] ?? '') : (pick([PEOPLE[0], PEOPLE[0], PEOPLE[0], PEOPLE[2], PEOPLE[3]]) ?? ''),
    course_id: next(12) === 0 ? uuid(3, 99) : uuid(3, next(24)),
    version: 1,
    state: pick(['active', 'active', 'active', 'expired', 'pending', 'revoked']),
    started_at: pick(TIMES),
    first_started_at: pick([null, null, '2025-11-24T00:00:00.000Z']),
    expires_at: pick([null, null, '2020-01-01T00:00:00Z', '2090-01-01T00:00:00.25Z']),
    completion_rate: pick([0, 1, 0.5, 0.1, 1 / 3, 1e-7]),
    completed_at: pick([null, '2026-05-05T05:05:05.005Z']),
    announced_at: null,
  }));
  const playback = course
    .filter((_, n) => n % 3 === 0)
    .flatMap(({ course_id }, n) =>
      SITES.map((site_id) => ({
        site_id,
        person_id: PEOPLE[0] ?? '',
        course_id,
        lecture_id: uuid(5, n),
        title: pick([null, ...NAMES]),
        version: 1,
        position_seconds: next(5_000),
        watched_at: pick(TIMES),
      })),
    );
  const post = Array.from({ length: 12 }, (_, n) => ({
    post_id: uuid(16, n),
    site_id: pick(SITES),
    version: 1,
    slug: `post-${n}`,
    title: pick(NAMES),
    state: pick(['published', 'published', 'archived']),
  }));
  const purchases = makePurchases(numbers(43), SITES, PEOPLE);
  const notification = makeNotifications(numbers(44), [
    enrollment.map((one) => ({ ...one, id: one.enrollment_id })),
    purchases.digital_product_grants.map((one) => ({ ...one, id: one['grant_id'] ?? null })),
    purchases.consulting_purchases.map((one) => ({ ...one, id: one['purchase_id'] ?? null })),
    purchases.event_registrations.map((one) => ({ ...one, id: one['registration_id'] ?? null })),
    post.map((one) => ({ ...one, id: one.post_id, person_id: PEOPLE[0] ?? '' })),
  ]);
  // The first person's inbox at the second site is empty and has no count.
  const inbox_count = PEOPLE.map((person_id, n) => ({ site_id: SITES[0] ?? '', person_id, unread: n * 7 }));
  // Settings exist for topics, for courses, for both, and for courses of other people.
  const notification_subscription = [null, null, ...course.map(({ course_id }) => course_id)].flatMap((entity_id) =>
    SITES.map((site_id) => ({
      site_id,
      person_id: PEOPLE[0] ?? '',
      topic: entity_id === null ? pick(['marketing', 'new_lecture']) : pick(['new_lecture', 'course_update']),
      entity_id,
      version: 1,
      active: next(2) === 0,
      in_app: next(2) === 0,
      email: next(2) === 0,
      inherited_active: pick([null, null, true, false]),
      inherited_in_app: pick([null, null, true, false]),
      inherited_email: pick([null, null, true, false]),
      updated_at: pick(TIMES),
    })),
  );
  const once = notification_subscription.filter(
    (one, at) =>
      notification_subscription.findIndex(
        ({ site_id, topic, entity_id }) =>
          site_id === one.site_id && topic === one.topic && entity_id === one.entity_id,
      ) === at,
  );
  return {
    sites: site,
    people: person,
    memberships: membership,
    courses: course,
    enrollments: enrollment,
    playbacks: playback,
    notifications: notification,
    inbox_counts: inbox_count,
    notification_subscriptions: once,
    posts: post,
    ...makeCurricula(numbers(45), course, SITES, PEOPLE.slice(0, 2)),
    ...purchases,
  };
}

export async function store(client: pg.Client, learners: Learners): Promise<void> {
  for (const [table, rows] of Object.entries(learners) as [string, Row[]][]) {
    await client.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
      JSON.stringify(rows.map(asJson)),
    ]);
  }
}

/** Every row of a read model has the epoch of its event. Columns missing from the table are ignored. */
function asJson(row: Row): object {
  const json = ['attachments', 'files', 'parameters', 'sections', 'tickets'].flatMap((column) => {
    const text = row[column];
    return typeof text === 'string' ? [[column, JSON.parse(text) as unknown] as const] : [];
  });
  return { epoch: 0, ...row, ...Object.fromEntries(json) };
}
