import { createHash } from 'node:crypto';
import { textOf } from '#src/messages/messages.js';
import { TOPICS } from '#src/notification-subscriptions/topics.policy.js';
import type { Learners, Member } from './learners.js';
import { instant } from './naive-instants.js';
import { naiveReader } from './naive-reader.js';
import type { Row } from './row.js';

const FIRST_OF_ALL = Date.parse('9000-01-01T00:00:00Z');

/** The effective settings of every topic, and of every topic of courses for each enrolled course. */
export function naiveSubscriptions(learners: Learners, member: Member, enrollments: readonly Row[]): Row[] {
  const { site, person } = member;
  const reader = naiveReader(learners, member);
  const now = Date.now();
  const taken = new Map<unknown, string>();
  // Newest first, so the first of a course is its latest.
  for (const { course_id, started_at, state, expires_at } of enrollments) {
    const open = state === 'active' && (expires_at === null || Date.parse(String(expires_at)) > now);
    if (open && !taken.has(course_id)) taken.set(course_id, String(started_at));
  }
  return Object.entries(TOPICS).flatMap(([topic, rule], place) => {
    const row = (entity_id: string | null, listed_at: string): Row => {
      const chosen = (entity: string | null): Row | undefined =>
        learners.notification_subscriptions.find(
          (one) =>
            one['site_id'] === site &&
            one['person_id'] === person &&
            one['topic'] === topic &&
            one['entity_id'] === entity,
        );
      const own = chosen(entity_id);
      const effective = (setting: 'active' | 'in_app' | 'email', standard: boolean): Row[string] =>
        [own, chosen(null)].find((one) => one !== undefined && one[setting] !== one[`inherited_${setting}`])?.[
          setting
        ] ?? standard;
      const name = [site, person, topic, ...(entity_id === null ? [] : [entity_id])].join('/');
      return {
        id: versionEight(createHash('sha256').update(name).digest('hex')),
        topic,
        description: textOf(`topic.${topic}`, {}, reader),
        transactional: rule.transactional,
        entity_id,
        listed_at,
        active: effective('active', rule.active),
        in_app: effective('in_app', rule.inApp),
        email: effective('email', rule.email),
        updated_at: own?.['updated_at'] ?? null,
      };
    };
    const whole = row(null, new Date(FIRST_OF_ALL - place * 1000).toISOString());
    return rule.perCourse ? [whole, ...[...taken].map(([course, at]) => row(String(course), at))] : [whole];
  });
}

export const naiveSubscription = (row: Row): Record<string, unknown> => ({
  __typename: 'NotificationSubscription',
  id: `nsb_${String(row['id'])}`,
  topic: String(row['topic']).toUpperCase(),
  description: row['description'],
  entityType: row['entity_id'] === null ? null : 'COURSE',
  entityId: row['entity_id'],
  channels: [
    { channel: 'IN_APP', enabled: row['in_app'] },
    { channel: 'EMAIL', enabled: row['email'] },
  ],
  active: row['active'],
  canChange: row['transactional'] === false,
  updatedAt: instant(row['updated_at']),
});

function versionEight(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
