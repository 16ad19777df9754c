import type { TopicName } from '#src/notification-subscriptions/topics.policy.js';

interface KindRule {
  readonly topic: TopicName;
  readonly description: string;
}

/** What a notification tells, and the topic by which its member decides whether to be told. */
export const KINDS = {
  course_enrolled: { topic: 'access', description: 'The member has been enrolled in a course.' },
  membership_changed: { topic: 'membership', description: "The state of the member's membership has changed." },
  post_published: { topic: 'announcement', description: 'The site has news.' },
  announcement_sent: { topic: 'announcement', description: 'The site announces something.' },
  course_post_published: { topic: 'course_update', description: 'A course has news.' },
  lecture_published: { topic: 'new_lecture', description: 'A course has a new lecture.' },
  comment_replied: { topic: 'comment_reply', description: "Somebody has replied to the member's comment." },
  event_starting: { topic: 'event_reminder', description: 'An event is about to start.' },
  consulting_starting: { topic: 'consulting_reminder', description: 'A booked session is about to start.' },
  offer_sent: { topic: 'marketing', description: 'The site offers or recommends something.' },
} as const satisfies Record<string, KindRule>;

export type Kind = keyof typeof KINDS;

export const topicOf = (kind: Kind): TopicName => KINDS[kind].topic;

/** Older than this, what happened is no news: a reader that begins, or catches up, tells nobody of it. */
export const NEWS_DAYS = 3;

const DAY_MS = 24 * 3_600_000;

/** True while what happened then can be told as new; what has not happened yet is none. */
export function isNews(happenedAt: string | null, now: number): boolean {
  return happenedAt !== null && now - Date.parse(happenedAt) <= NEWS_DAYS * DAY_MS;
}
